/** The rules of webhooks, tests and redeliveries, as pure functions. They are not in `webhook.ts`, since `error.ts` imports its limits. */
import { type Delivery, isGone, isSuccess, request, testsPendingMax } from './delivery.ts';
import { AppError, noDelivery, noWebhook, tooManyTests, tooManyWebhooks } from './error.ts';
import { eventIdOf } from './event.ts';
import { type WebhookRecord, webhooksMax } from './webhook.ts';

/** Throws AppError `not_found`. */
export const expectWebhook = (present: WebhookRecord | undefined): WebhookRecord => {
  if (!present) throw new AppError(noWebhook);
  return present;
};

/** Throws AppError `too_many_webhooks` if `count` has reached the maximum. */
export const expectRoomForWebhook = (count: number): void => {
  if (count >= webhooksMax) throw new AppError(tooManyWebhooks);
};

/** Throws AppError `too_many_tests` if the number of `pending` tests of the webhook has reached the maximum. */
export const expectRoomForTest = (pending: number): void => {
  if (pending >= testsPendingMax) throw new AppError(tooManyTests);
};

/**
 * Requests a redelivery. Throws AppError `not_found` for the webhook or the delivery, and `too_many_tests` for a settled
 * test if the maximum of pending tests is reached.
 */
export const requestAgain = (
  webhook: WebhookRecord | undefined,
  delivery: Delivery | undefined,
  { id, pendingTests, now }: { id: string; pendingTests: () => number; now: Date },
): Delivery => {
  expectWebhook(webhook);
  if (!delivery || eventIdOf(delivery.event) !== id) throw new AppError(noDelivery);
  const isSettledTest = delivery.event.type === 'webhook.test' && delivery.nextAttemptAt === undefined;
  if (isSettledTest) expectRoomForTest(pendingTests());
  return request(delivery, now);
};

export type Health = Pick<WebhookRecord, 'failingSince' | 'disabled' | 'enabledAt'>;

/**
 * The health after an attempt. A failed delivery disables its webhook, unless another one has succeeded since the first attempt
 * of its round: then the receiver works.
 */
export const healthAfter = ({ failingSince: before, ...rest }: Health, delivery: Delivery): Health => {
  const { disabled, enabledAt = '' } = rest;
  const attempt = delivery.attempts.at(-1);
  if (!attempt || isSuccess(attempt)) return rest;
  // The earlier of the two, in case a clock was ahead.
  const failingSince = before !== undefined && before < attempt.at ? before : attempt.at;
  const began = delivery.attempts.at(-delivery.attemptsInRound)?.at ?? attempt.at;
  const isAgainstIt = delivery.nextAttemptAt === undefined && attempt.at >= enabledAt;
  const reason = isGone(attempt) ? 'gone' : failingSince <= began ? 'failing' : undefined;
  const after = disabled ?? (isAgainstIt && reason ? { at: attempt.at, reason } : undefined);
  return { ...rest, failingSince, ...(after && { disabled: after }) };
};

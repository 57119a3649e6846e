/** The rules of webhooks, tests and redeliveries, as pure functions. `error.ts` needs the limits of `webhook.ts`, so they are apart. */
import { type Delivery, isGone, isSuccess, request, testsPendingMax } from './delivery.ts';
import { AppError, noDelivery, noWebhook, tooManyTests, tooManyWebhooks } from './error.ts';
import { eventIdOf } from './event.ts';
import { type WebhookRecord, webhooksMax } from './webhook.ts';

/** Throws AppError `not_found`. */
export const expectWebhook = (present: WebhookRecord | undefined): WebhookRecord => {
  if (!present) throw new AppError(noWebhook);
  return present;
};

/** Throws AppError `too_many_webhooks` when `count` is the most that there may be. */
export const expectRoomForWebhook = (count: number): void => {
  if (count >= webhooksMax) throw new AppError(tooManyWebhooks);
};

/** Throws AppError `too_many_tests` when `pending` tests of the webhook are the most that there may be. */
export const expectRoomForTest = (pending: number): void => {
  if (pending >= testsPendingMax) throw new AppError(tooManyTests);
};

/**
 * Requests a redelivery. Throws AppError `not_found` for the webhook or the delivery, and `too_many_tests` for a settled
 * test when no more may be pending.
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
 * The health after an attempt. A delivery that is given up disables its webhook, unless another one succeeded since the
 * first attempt of its round: then the receiver works.
 */
export const healthAfter = ({ failingSince: before, ...rest }: Health, delivery: Delivery): Health => {
  const { disabled, enabledAt = '' } = rest;
  const attempt = delivery.attempts.at(-1);
  if (!attempt || isSuccess(attempt)) return rest;
  // The earlier of the two, since a clock may have been ahead.
  const failingSince = before !== undefined && before < attempt.at ? before : attempt.at;
  const began = delivery.attempts.at(-delivery.attemptsInRound)?.at ?? attempt.at;
  const isAgainstIt = delivery.nextAttemptAt === undefined && attempt.at >= enabledAt;
  const reason = isGone(attempt) ? 'gone' : failingSince <= began ? 'failing' : undefined;
  const after = disabled ?? (isAgainstIt && reason ? { at: attempt.at, reason } : undefined);
  return { ...rest, failingSince, ...(after && { disabled: after }) };
};

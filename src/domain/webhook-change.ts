/** The rules of webhooks, tests and redeliveries, as pure functions; see `plant-change.ts`. */
import { type Delivery, isGone, isSuccess, request, testsPendingMax } from './delivery.ts';
import { AppError, noDelivery, noWebhook, tooManyTests, tooManyWebhooks } from './error.ts';
import { eventIdOf } from './event.ts';
import { rotateSecrets, type WebhookRecord, webhooksMax } from './webhook.ts';

/** Throws AppError `not_found`. */
export const expectWebhook = (present: WebhookRecord | undefined): WebhookRecord => {
  if (!present) throw new AppError(noWebhook);
  return present;
};

/** Throws AppError `too_many_webhooks` unless one more may be added to so many. */
export const expectRoomForWebhook = (count: number): void => {
  if (count >= webhooksMax) throw new AppError(tooManyWebhooks);
};

/** The webhook with a new secret. Throws AppError `not_found`. */
export const rotateSecret = (present: WebhookRecord | undefined, secret: string, now: Date): WebhookRecord => {
  const webhook = expectWebhook(present);
  return { ...webhook, secrets: rotateSecrets(webhook.secrets, secret, now) };
};

/** Throws AppError `not_found` for the webhook, and `too_many_tests` unless one more test may be pending beside so many. */
export const expectRoomForTest = (webhook: WebhookRecord | undefined, pendingTests: number): WebhookRecord => {
  const present = expectWebhook(webhook);
  if (pendingTests >= testsPendingMax) throw new AppError(tooManyTests);
  return present;
};

/**
 * The delivery with this id, with a new request for it. Throws AppError `not_found` for the webhook or the delivery, and
 * `too_many_tests` when it is a settled test and too many are pending.
 */
export const requestAgain = (
  webhook: WebhookRecord | undefined,
  delivery: Delivery | undefined,
  { id, pendingTests, now }: { id: string; pendingTests: () => number; now: Date },
): Delivery => {
  expectWebhook(webhook);
  if (!delivery || eventIdOf(delivery.event) !== id) throw new AppError(noDelivery);
  const isSettledTest = delivery.event.type === 'webhook.test' && delivery.nextAttemptAt === undefined;
  if (isSettledTest && pendingTests() >= testsPendingMax) throw new AppError(tooManyTests);
  return request(delivery, now);
};

/** Whether what is sent to a webhook gets through. */
export type Health = Pick<WebhookRecord, 'failingSince' | 'disabled' | 'enabledAt'>;

/**
 * The health after an attempt. A delivery that is given up disables its webhook, unless another one got through since the
 * first attempt of its round: then the fault lies with the one and not with the receiver.
 */
export const healthAfter = ({ failingSince: before, ...rest }: Health, delivery: Delivery): Health => {
  const { disabled, enabledAt = '' } = rest;
  const attempt = delivery.attempts.at(-1);
  if (!attempt || isSuccess(attempt)) return rest;
  // The earlier one, should a clock have been ahead.
  const failingSince = before !== undefined && before < attempt.at ? before : attempt.at;
  const began = delivery.attempts.at(-delivery.attemptsInRound)?.at ?? attempt.at;
  const isAgainstIt = delivery.nextAttemptAt === undefined && attempt.at >= enabledAt;
  const reason = isGone(attempt) ? 'gone' : failingSince <= began ? 'failing' : undefined;
  const after = disabled ?? (isAgainstIt && reason ? { at: attempt.at, reason } : undefined);
  return { ...rest, failingSince, ...(after && { disabled: after }) };
};

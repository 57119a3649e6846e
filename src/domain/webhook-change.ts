/** The rules of webhooks, tests and redeliveries, as pure functions; see `plant-change.ts`. */
import { type Delivery, request, testsPendingMax } from './delivery.ts';
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

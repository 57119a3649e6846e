import { AppError, noDelivery } from '../base/app-error.ts';
import { eventIdOf } from '../events/event.ts';
import { expectWebhook, type Health, type WebhookRecord } from '../webhooks/webhook.ts';
import { type Delivery, expectRoomForTestMessage, isGone, isSuccess, request } from './delivery.ts';

/**
 * Requests a redelivery. Throws AppError `not_found` for the webhook or the delivery, and `too_many_tests` for a settled
 * test if the maximum of pending tests is reached.
 */
export const requestRedelivery = (
  webhook: WebhookRecord | undefined,
  delivery: Delivery | undefined,
  { id, pendingTestMessages, now }: { id: string; pendingTestMessages: () => number; now: Date },
): Delivery => {
  expectWebhook(webhook);
  if (!delivery || eventIdOf(delivery.event) !== id) throw new AppError(noDelivery);
  const isSettledTest = delivery.event.type === 'webhook.test' && delivery.nextAttemptAt === undefined;
  if (isSettledTest) expectRoomForTestMessage(pendingTestMessages());
  return request(delivery, now);
};

/**
 * The health after an attempt. A failed delivery disables its webhook, unless another one has succeeded since the first attempt
 * of its round: then the receiver works.
 */
export const healthAfter = (health: Health, delivery: Delivery): Health => {
  const { failingSince: before, disabled, enabledAt = '' } = health;
  const attempt = delivery.attempts.at(-1);
  if (!attempt || isSuccess(attempt)) return before === undefined ? health : withoutFailure(health);
  // The earlier of the two, in case a clock was ahead.
  const failingSince = before !== undefined && before < attempt.at ? before : attempt.at;
  const began = delivery.attempts.at(-delivery.attemptsInRound)?.at ?? attempt.at;
  const countsAgainst = delivery.nextAttemptAt === undefined && attempt.at >= enabledAt;
  const reason = isGone(attempt) ? 'gone' : failingSince <= began ? 'failing' : undefined;
  const after = disabled ?? (countsAgainst && reason ? { at: attempt.at, reason } : undefined);
  return { ...health, failingSince, ...(after && { disabled: after }) };
};

const withoutFailure = ({ failingSince: _, ...rest }: Health): Health => rest;

/** Compares what attempts change. */
export const isSameHealth = (a: Health, b: Health): boolean =>
  a.failingSince === b.failingSince && a.disabled?.at === b.disabled?.at && a.disabled?.reason === b.disabled?.reason;

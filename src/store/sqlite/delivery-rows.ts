import type { Delivery } from '../../domain/delivery.ts';
import type { EventPlace } from '../../domain/event.ts';
import { given } from './placeholder.ts';

/** Deliveries in a table: those of the events of the log are in one, and those of tests in another. */
export interface DeliveryRows {
  find(webhookId: string, place: EventPlace): Delivery | undefined;
  /** At most so many of those before the place, the newest first. */
  page(webhookId: string, before: EventPlace, limit: number): Delivery[];
  /** At most `limit` requested deliveries, the oldest request first. */
  requested(webhookId: string, limit: number): Delivery[];
  /** At most so many of the others that are due at `now`, the longest due first. */
  due(webhookId: string, now: string, limit: number): Delivery[];
  /** At most so many of those due only after `latest`. */
  putOffPast(webhookId: string, latest: string, limit: number): Delivery[];
  put(delivery: Delivery): void;
}

interface Columns {
  readonly webhookId: string;
  readonly attempts: Delivery['attempts'];
  readonly tries: bigint;
  readonly nextAttemptAt: string | null;
  readonly requestedAt: string | null;
}

/** What both tables have of a delivery. */
export const toDelivery = (
  { webhookId, attempts, tries, nextAttemptAt, requestedAt }: Columns,
  event: Delivery['event'],
): Delivery => ({
  webhookId,
  event,
  attempts,
  attemptsInRound: Number(tries),
  ...(nextAttemptAt !== null && { nextAttemptAt }),
  ...(requestedAt !== null && { requestedAt }),
});

/** Placeholders for what an attempt or a request changes. */
export const changedColumns = {
  attempts: given('attempts'),
  tries: given('tries'),
  nextAttemptAt: given('nextAttemptAt'),
  requestedAt: given('requestedAt'),
};

export const toColumns = ({ webhookId, attempts, attemptsInRound, nextAttemptAt, requestedAt }: Delivery) => ({
  webhookId,
  attempts: JSON.stringify(attempts),
  tries: BigInt(attemptsInRound),
  nextAttemptAt: nextAttemptAt ?? null,
  requestedAt: requestedAt ?? null,
});

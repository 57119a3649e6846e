import type { deliveries } from '../../db/sqlite.ts';
import { keyOf } from '../events/event.ts';
import { type EventRow, toEvent } from '../events/row.ts';
import type { Attempt, Delivery } from './delivery.ts';

export type DeliveryRow<Attempts = readonly Attempt[]> = Omit<typeof deliveries.$inferSelect, 'attempts'> & {
  readonly attempts: Attempts;
};

/** A delivery and its event in the log, which that of a test message is not in. */
interface JoinedRow {
  readonly delivery: DeliveryRow;
  readonly event: EventRow | null;
}

/** Throws for a row that this program did not write. */
export const toDelivery = ({ delivery, event }: JoinedRow): Delivery => {
  const { webhookId, attempts, attemptsInRound, nextAttemptAt, requestedAt } = delivery;
  return {
    webhookId,
    event: event ? toEvent(event) : toTestMessage(delivery),
    attempts,
    attemptsInRound: Number(attemptsInRound),
    ...(nextAttemptAt !== null && { nextAttemptAt }),
    ...(requestedAt !== null && { requestedAt }),
  };
};

export const toTestMessage = ({ sequence, number, timestamp }: DeliveryRow): Delivery['event'] => {
  if (timestamp === null) throw new Error(`a delivery has no event ${sequence}`);
  return { sequence, number, type: 'webhook.test', timestamp };
};

/** The row with the attempts as JSON. */
export const toDeliveryRow = ({ webhookId, event, ...delivery }: Delivery): DeliveryRow<string> => ({
  webhookId,
  ...keyOf(event),
  timestamp: event.type === 'webhook.test' ? event.timestamp : null,
  attempts: JSON.stringify(delivery.attempts),
  attemptsInRound: BigInt(delivery.attemptsInRound),
  nextAttemptAt: delivery.nextAttemptAt ?? null,
  requestedAt: delivery.requestedAt ?? null,
});

/** A delivery as a flat row, and the members of its event in the log that it does not have itself. They are null for a test message. */
export type FlatRow = DeliveryRow<string> &
  Omit<EventRow, 'sequence' | 'type' | 'timestamp'> & {
    readonly type: string | null;
    readonly eventTimestamp: string | null;
  };

/** Throws as `toDelivery` does. */
export const fromFlatRow = (row: FlatRow): Delivery => {
  const { type, eventTimestamp } = row;
  const isOfLog = type !== null && eventTimestamp !== null;
  return toDelivery({
    delivery: withAttempts(row),
    event: isOfLog ? { ...row, type, timestamp: eventTimestamp } : null,
  });
};

export const withAttempts = (row: DeliveryRow<string>): DeliveryRow => ({ ...row, attempts: JSON.parse(row.attempts) });

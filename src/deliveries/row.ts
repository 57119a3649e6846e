import type { deliveries } from '../../db/sqlite.ts';
import { keyOf } from '../events/event.ts';
import { type EventRow, toEvent } from '../events/row.ts';
import { type Delivery, stateOf } from './delivery.ts';

export type DeliveryRow = typeof deliveries.$inferSelect;

/** A delivery, and the members of its event in the log that it does not have itself. They are null for a test message. */
export type JoinedRow = DeliveryRow &
  Omit<EventRow, 'sequence' | 'type' | 'timestamp'> & {
    readonly type: string | null;
    readonly eventTimestamp: string | null;
  };

/** Throws for a row that this program did not write. */
export const toDelivery = (row: JoinedRow): Delivery => {
  const { webhookId, attempts, attemptsInRound, nextAttemptAt, requestedAt, type, eventTimestamp } = row;
  const isOfLog = type !== null && eventTimestamp !== null;
  return {
    webhookId,
    event: isOfLog ? toEvent({ ...row, type, timestamp: eventTimestamp }) : toTestMessage(row),
    attempts: JSON.parse(attempts),
    attemptsInRound: Number(attemptsInRound),
    ...(nextAttemptAt !== null && { nextAttemptAt }),
    ...(requestedAt !== null && { requestedAt }),
  };
};

export const toTestMessage = ({ sequence, number, timestamp }: DeliveryRow): Delivery['event'] => {
  if (timestamp === null) throw new Error(`a delivery has no event ${sequence}`);
  return { sequence, number, type: 'webhook.test', timestamp };
};

export const toDeliveryRow = (delivery: Delivery): DeliveryRow => ({
  webhookId: delivery.webhookId,
  ...keyOf(delivery.event),
  timestamp: delivery.event.type === 'webhook.test' ? delivery.event.timestamp : null,
  attempts: JSON.stringify(delivery.attempts),
  attemptsInRound: BigInt(delivery.attemptsInRound),
  nextAttemptAt: delivery.nextAttemptAt ?? null,
  requestedAt: delivery.requestedAt ?? null,
  state: stateOf(delivery),
});

import { type Delivery, stateOf } from '../../domain/delivery.ts';
import { eventIdOf } from '../../domain/event.ts';

/** A delivery for `JSON.stringify`. A requested delivery has no time: it is attempted as soon as the concurrency limit permits. */
export const toBody = (delivery: Delivery) => {
  const { event, attempts, nextAttemptAt, requestedAt } = delivery;
  return {
    id: eventIdOf(event),
    type: event.type,
    state: stateOf(delivery),
    attempts,
    nextAttemptAt: requestedAt === undefined ? nextAttemptAt : undefined,
  };
};

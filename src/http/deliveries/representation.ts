import { type Delivery, stateOf } from '../../domain/delivery.ts';
import { eventIdOf } from '../../domain/event.ts';

/** A delivery for `JSON.stringify`. One that was requested has no time: it is its turn as soon as there is room. */
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

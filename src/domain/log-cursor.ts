/** Whether a cursor names a place in the log, or among the deliveries, that can be gone on from; as pure functions. */
import { type Refusal, refuse } from './error.ts';
import { type EventPlace, eventIdOf, type Sequenced } from './event.ts';

export const foreignCursor: Refusal = { code: 'invalid_cursor', sentence: 'The cursor is not one of this list.' };
export const expiredCursor: Refusal = {
  code: 'cursor_expired',
  sentence: 'The cursor is older than the events that are kept.',
};

/**
 * The place that a cursor names. `present` is the event at that place, if there is one, and `isGone` says whether all events at
 * it and before it were removed, so that the cursor can no longer be checked. Throws AppError `invalid_cursor`.
 */
export const expectPlace = (
  cursor: string,
  place: EventPlace | undefined,
  { present, isGone }: { present: Sequenced | undefined; isGone: boolean },
): EventPlace => {
  const isOurs = present ? eventIdOf(present) === cursor : isGone;
  if (!place || !isOurs) throw refuse(foreignCursor);
  return place;
};

/** Throws AppError `cursor_expired` when events after the place were removed: the log begins with `first`, if it has any. */
export const expectNothingMissing = ({ sequence }: EventPlace, first: bigint | undefined): bigint => {
  if (first !== undefined && sequence + 1n < first) throw refuse(expiredCursor);
  return sequence;
};

/** Whether a cursor names a place in the log, or among the deliveries, that can be gone on from; as pure functions. */
import { AppError, expiredCursor, foreignCursor } from './error.ts';
import { type EventPlace, eventIdOf, type Sequenced } from './event.ts';

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
  if (!place || !isOurs) throw new AppError(foreignCursor);
  return place;
};

/** Throws AppError `cursor_expired` when events after the place were removed: the log begins with `first`, if it has any. */
export const expectNothingMissing = ({ sequence }: EventPlace, first: bigint | undefined): bigint => {
  if (first !== undefined && sequence + 1n < first) throw new AppError(expiredCursor);
  return sequence;
};

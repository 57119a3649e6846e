import { AppError } from '../../domain/error.ts';
import { type EventPlace, eventIdOf, placeIn, type Sequenced } from '../../domain/event.ts';
import { type EventQueries, toEvent } from './event-queries.ts';
import { type TestQueries, toTest } from './test-queries.ts';

/**
 * The place that a cursor names: that of the event or the test with this id. Throws AppError `invalid_cursor` when there was no
 * such event; of one that is gone the id can no longer be checked.
 */
export const placeOfCursor = (events: EventQueries, tests: TestQueries, cursor: string): EventPlace => {
  const place = placeIn(cursor);
  const isKnown = place && (place.number === 0n ? isOfLog(events, place, cursor) : isOfTests(tests, place, cursor));
  if (!isKnown) throw new AppError('invalid_cursor', 'The cursor is not one of this list.');
  return place;
};

const isOfLog = ({ oldest, bySequence }: EventQueries, { sequence }: EventPlace, id: string): boolean => {
  const first = oldest.get({ limit: 1 })?.sequence;
  if (first === undefined) return false;
  const row = bySequence.get({ sequence });
  return row ? hasId(toEvent(row), id) : sequence < first;
};

const isOfTests = ({ oldest, byNumber }: TestQueries, { number }: EventPlace, id: string): boolean => {
  const [row] = byNumber.all({ number });
  return row ? hasId(toTest(row), id) : number < (oldest.get()?.number ?? 0n);
};

const hasId = (event: Sequenced, id: string): boolean => eventIdOf(event) === id;

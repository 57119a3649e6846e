import { type EventPlace, placeIn } from '../../domain/event.ts';
import { expectPlace } from '../../domain/log-cursor.ts';
import type { EventQueries } from './event-queries.ts';
import { toEvent } from './plant-rows.ts';
import { type TestQueries, toTest } from './test-queries.ts';

/** The place that a cursor names: that of the event or the test with this id. Throws AppError `invalid_cursor`. */
export const placeOfCursor = (events: EventQueries, tests: TestQueries, cursor: string): EventPlace => {
  const place = placeIn(cursor);
  return expectPlace(cursor, place, place?.number === 0n ? lookUpEvent(events, place) : lookUpTest(tests, place));
};

const lookUpEvent = ({ oldest, bySequence }: EventQueries, { sequence }: EventPlace) => {
  const row = bySequence.get({ sequence });
  return { present: row && toEvent(row), isGone: sequence < (oldest.get({ limit: 1 })?.sequence ?? 0n) };
};

/** Tests are pruned by their age, and not in order. */
const lookUpTest = ({ newest, byNumber }: TestQueries, { number }: Pick<EventPlace, 'number'> = { number: 0n }) => {
  const [row] = byNumber.all({ number });
  return { present: row && toTest(row), isGone: number <= (newest.get()?.number ?? number) };
};

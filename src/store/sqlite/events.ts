import { type EventPlace, expectNothingMissing, expectPlace, placeIn } from '../../domain/event.ts';
import type { EventStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { EventQueries } from './event-queries.ts';
import { toEvent } from './plant-rows.ts';
import { createPrune } from './prune.ts';
import { type TestQueries, toTest } from './test-queries.ts';

export const createEventStore = (
  { db, read, commit }: Connection,
  queries: EventQueries,
  testQueries: TestQueries,
): EventStore => {
  const prune = createPrune(db, queries, testQueries);

  const findPlace = (after: string): bigint =>
    expectNothingMissing(placeOfCursor(queries, testQueries, after), queries.oldest.get({ limit: 1 })?.sequence);

  return {
    list: ({ limit, after: cursor, type }) =>
      read(() => {
        const after = cursor === undefined ? 0n : findPlace(cursor);
        const rows =
          type === undefined ? queries.page.all({ after, limit }) : queries.pageOfType.all({ after, limit, type });
        return rows.map(toEvent);
      }),
    prune: (before, limit) => commit(() => prune(before, limit)),
  };
};

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

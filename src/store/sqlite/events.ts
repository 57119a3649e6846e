import { expectNothingMissing } from '../../domain/log-cursor.ts';
import type { EventStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { EventQueries } from './event-queries.ts';
import { placeOfCursor } from './place.ts';
import { toEvent } from './plant-rows.ts';
import { createPrune } from './prune.ts';
import type { TestQueries } from './test-queries.ts';

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

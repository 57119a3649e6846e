import { AppError } from '../../domain/error.ts';
import { isOfPlant } from '../../domain/event.ts';
import type { EventStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { type EventQueries, placeOf, toEvent } from './event-queries.ts';
import { createPrune } from './prune.ts';

export const createEventStore = ({ db, read, commit }: Connection, queries: EventQueries): EventStore => {
  const prune = createPrune(db, queries);

  const findPlace = (after: string): bigint => {
    const { sequence, hasPassed } = placeOf(queries, after);
    if (hasPassed) throw new AppError('cursor_expired', 'The cursor is older than the events that are kept.');
    return sequence;
  };

  return {
    list: ({ limit, after: cursor, type }) =>
      read(() => {
        const after = cursor === undefined ? 0n : findPlace(cursor);
        const rows =
          type === undefined ? queries.page.all({ after, limit }) : queries.pageOfType.all({ after, limit, type });
        return rows.map(toEvent).filter(isOfPlant);
      }),
    prune: (before, limit) => commit(() => prune(before, limit)),
  };
};

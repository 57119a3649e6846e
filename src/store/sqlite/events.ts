import { AppError } from '../../domain/error.ts';
import { isOfPlant, type PlantEvent, type Sequenced } from '../../domain/event.ts';
import type { EventStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { placeOf, prepareEventQueries, toEvent } from './event-queries.ts';
import { createPrune } from './prune.ts';

export const createEventStore = ({ db, read, commit }: Connection): EventStore => {
  const queries = prepareEventQueries(db);
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
        return rows.map(toEvent).filter(isPlantEvent);
      }),
    prune: (before, limit) => commit(() => prune(before, limit)),
  };
};

/** The queries leave the tests out; this tells the compiler. */
const isPlantEvent = (event: Sequenced): event is Sequenced<PlantEvent> => isOfPlant(event);

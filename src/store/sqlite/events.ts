import { AppError } from '../../domain/error.ts';
import { eventIdOf, type PlantEvent, type Sequenced, sequenceOf } from '../../domain/event.ts';
import type { EventStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { type EventRow, prepareEventQueries, toEvent } from './event-queries.ts';
import { preparePrune } from './prune.ts';

export const createEventStore = ({ db, read, commit }: Connection): EventStore => {
  const queries = prepareEventQueries(db);
  const prune = preparePrune(db, queries);

  /** The place in the log that a cursor names, or a throw of what it is refused with. */
  const findPlace = (after: string): bigint => {
    const place = sequenceOf(after);
    const oldest = queries.oldest.get({ limit: 1 });
    if (place === undefined || !oldest) throw invalid();
    if (place + 1n < oldest.sequence)
      throw new AppError('cursor_expired', 'The cursor is older than the events that are kept.');
    const row = queries.bySequence.get({ sequence: place });
    // The event right before the oldest may be gone: nothing after it is, but its id can no longer be checked.
    if (row ? eventIdOf(toEvent(row)) !== after : place >= oldest.sequence) throw invalid();
    return place;
  };

  return {
    list: ({ limit, after: cursor, type }) =>
      read(() => {
        const after = cursor === undefined ? 0n : findPlace(cursor);
        const rows =
          type === undefined ? queries.page.all({ after, limit }) : queries.pageOfType.all({ after, limit, type });
        return rows.map(toPlantEvent);
      }),
    prune: (before, limit) => commit(() => prune(before, limit)),
  };
};

const toPlantEvent = (row: EventRow): Sequenced<PlantEvent> => {
  const event = toEvent(row);
  if (event.type === 'webhook.test') throw new Error('a test is not the event of a plant');
  return event;
};

const invalid = (): AppError => new AppError('invalid_cursor', 'The cursor is not one of this list.');

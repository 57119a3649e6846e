import {
  type EventPlace,
  expectNothingMissing,
  expectPlace,
  type PlantEventType,
  plantEventTypes,
} from '../../domain/event.ts';
import { type EventRow, isEveryType, toEvent, toLogPage } from '../rows/event.ts';
import type { EventStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { prune } from './prune.ts';
import type { Queries } from './queries.ts';

export const createEventStore = ({ db, read, commit }: Connection, queries: Queries): EventStore => {
  const { page, pageOfType, oldest, newest } = queries.events;

  const findPlace = (cursor: string): bigint =>
    expectNothingMissing(placeOfCursor(queries, cursor), oldest.get({ limit: 1 })?.sequence);

  return {
    list: ({ limit, after: cursor, type }) =>
      read(() => {
        const after = cursor === undefined ? 0n : findPlace(cursor);
        const rows = type === undefined ? page.all({ after, limit }) : pageOfType.all({ type, after, limit });
        return rows.map(toEvent);
      }),
    read: (after, limit, types = plantEventTypes) =>
      read(() => {
        if (isEveryType(types)) {
          const rows = page.all({ after, limit });
          return toLogPage({ rows, after, limit }, rows[0]?.sequence);
        }
        const rows = firstOfTypes(types, limit, (type) => pageOfType.all({ type, after, limit }));
        return toLogPage({ rows, after, limit, newest: newest.get() }, oldest.get({ limit: 1 })?.sequence);
      }),
    head: () => read(() => newest.get()?.sequence ?? 0n),
    prune: (before, limit) => commit(() => prune(db, queries, before, limit)),
  };
};

/** The first rows of these types, at most `limit`. `find` returns the first rows of one type, at least as many if they exist. */
export const firstOfTypes = <Row extends EventRow>(
  types: readonly PlantEventType[],
  limit: number,
  find: (type: PlantEventType) => Row[],
): Row[] =>
  types
    .flatMap(find)
    .sort((a, b) => (a.sequence < b.sequence ? -1 : 1))
    .slice(0, limit);

/** The place of the event or the test message with this id. Throws AppError `invalid_cursor`. */
export const placeOfCursor = ({ events, deliveries }: Queries, cursor: string): EventPlace =>
  expectPlace(cursor, (place) =>
    place.number === 0n ? lookUpEvent(events, place) : deliveries.lookUpTest(place.number),
  );

const lookUpEvent = ({ oldest, bySequence }: Queries['events'], { sequence }: EventPlace) => {
  const row = bySequence.get({ sequence });
  return { present: row && toEvent(row), isGone: sequence < (oldest.get({ limit: 1 })?.sequence ?? 0n) };
};

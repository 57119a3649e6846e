import type { SQLQueryBindings } from 'bun:sqlite';
import { and, asc, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { events } from '../../../db/sqlite.ts';
import {
  type EventPlace,
  expectNothingMissing,
  expectPlace,
  type PlantEvent,
  type PlantEventType,
  plantEventTypes,
} from '../../domain/event.ts';
import type { NewPlant } from '../../domain/plant.ts';
import {
  type EventRow,
  type EventRowValues,
  type EventValues,
  isEveryType,
  nameColumns,
  toEvent,
  toEventValues,
  toLogPage,
  toPlantColumns,
} from '../rows/event.ts';
import type { EventStore } from '../store.ts';
import { manyRows, placeholdersOf } from './columns.ts';
import type { Connection } from './connection.ts';
import type { Queries } from './open.ts';
import { prune } from './prune.ts';
import { type DirectStatement, type DrizzleClient, prepareDirect } from './statement.ts';

export const createEventStore = ({ db, read, commit }: Connection, queries: Queries): EventStore => {
  const { page, pageOfType, oldest, newest } = queries.events;

  const findPlace = (cursor: string): bigint =>
    expectNothingMissing(placeOfCursor(queries, cursor), oldest.get({ limit: 1 })?.sequence);

  return {
    list: ({ limit, after: cursor, type }) =>
      read(() => {
        const after = cursor === undefined ? 0n : findPlace(cursor);
        const rows = type === undefined ? findRows(page, after, limit) : findRows(pageOfType, type, after, limit);
        return rows.map(toEvent);
      }),
    read: (after, limit, types = plantEventTypes) =>
      read(() => {
        if (isEveryType(types)) {
          const rows = findRows(page, after, limit);
          return toLogPage({ rows, after, limit }, rows[0]?.sequence);
        }
        const rows = firstOfTypes(types, limit, (type) => findRows(pageOfType, type, after, limit));
        return toLogPage({ rows, after, limit, newest: newest.get() }, oldest.get({ limit: 1 })?.sequence);
      }),
    head: () => read(() => newest.get()?.sequence ?? 0n),
    prune: (before, limit) => commit(() => prune(db, queries, before, limit)),
  };
};

const findRows = <Values extends SQLQueryBindings[]>(select: DirectStatement<Values>, ...values: Values): EventRow[] =>
  (select.values(...values) as EventRowValues[]).map(nameColumns);

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

/** The place of the event or the test with this id. Throws AppError `invalid_cursor`. */
export const placeOfCursor = ({ events, tests }: Queries, cursor: string): EventPlace =>
  expectPlace(cursor, (place) => (place.number === 0n ? lookUpEvent(events, place) : tests.lookUp(place)));

const lookUpEvent = ({ oldest, bySequence }: EventQueries, { sequence }: EventPlace) => {
  const row = bySequence.get({ sequence });
  return { present: row && toEvent(row), isGone: sequence < (oldest.get({ limit: 1 })?.sequence ?? 0n) };
};

/** Statements on events, each prepared once for a client. */
export const prepareEventQueries = (db: DrizzleClient) => {
  const isAfter = gt(events.sequence, sql.placeholder('after'));
  const isType = eq(events.type, sql.placeholder('type'));
  const limit = sql.placeholder('limit');
  const select = () => db.select().from(events);
  const created = manyRows(events, {
    sequence: sql`NULL`,
    type: sql`'plant.created'`,
    timestamp: sql`${sql.placeholder('timestamp')}`,
    traceparent: sql`NULL`,
  });
  const { sequence, traceparent, ...others } = getTableColumns(events);
  const appendTraced = prepareDirect<[...EventValues, traceparent: string]>(
    db,
    db.insert(events).values({ sequence: sql`NULL`, ...placeholdersOf({ ...others, traceparent }) }),
  );
  // Most requests have no trace, and each bound value takes time.
  const append = prepareDirect<EventValues>(
    db,
    db.insert(events).values({ sequence: sql`NULL`, ...placeholdersOf(others) }),
  );
  const appendMany = db.insert(events).select(created.select).prepare();
  return {
    /** SQLite gives it one more than the largest sequence. */
    append: (event: PlantEvent, traceparent?: string): void => {
      const values = toEventValues(event);
      if (traceparent === undefined) append.run(...values);
      else appendTraced.run(...values, traceparent);
    },
    /** Appends the creation of each plant, in order. */
    appendCreated: (plants: readonly NewPlant[], now: Date): void =>
      appendMany.run({ rows: created.encode(plants.map(toPlantColumns)), timestamp: now.toISOString() }),
    bySequence: select()
      .where(eq(events.sequence, sql.placeholder('sequence')))
      .prepare(),
    page: prepareDirect<[after: bigint, limit: number]>(
      db,
      select().where(isAfter).orderBy(asc(events.sequence)).limit(limit),
    ),
    pageOfType: prepareDirect<[type: string, after: bigint, limit: number]>(
      db,
      select().where(and(isType, isAfter)).orderBy(asc(events.sequence)).limit(limit),
    ),
    oldest: select().orderBy(asc(events.sequence)).limit(limit).prepare(),
    newest: select().orderBy(desc(events.sequence)).limit(1).prepare(),
  };
};

export type EventQueries = ReturnType<typeof prepareEventQueries>;
/** The sequence of the newest event, or 0, as part of a statement. */
export const newestSequence = sql`(SELECT coalesce(max(${events.sequence}), 0) FROM ${events})`;

import { and, asc, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { events } from '../../../db/sqlite.ts';
import {
  type EventKey,
  expectKey,
  expectNothingMissing,
  type PlantEvent,
  type PlantEventType,
  plantEventTypes,
} from '../../domain/event.ts';
import type { NewPlant } from '../../domain/plant.ts';
import type { SqliteClient } from '../../runtime/runtime.ts';
import { type EventRow, isEveryType, toEvent, toEventRow, toLogPage } from '../rows/event.ts';
import type { EventStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { DeliveryQueries } from './delivery-queries.ts';
import { builder, fieldsOf, manyRows, placeholdersOf, prepare } from './statement.ts';

/** Its remaining function is in `prune.ts`. */
export const createEventStore = ({ read }: Connection, queries: LogQueries): Omit<EventStore, 'prune'> => {
  const { page, pageOfType, firstSequence, lastSequence, newest } = queries.events;

  const sequenceOfCursor = (cursor: string): bigint =>
    expectNothingMissing(keyOfCursor(queries, cursor), firstSequence());

  return {
    list: ({ limit, after: cursor, type }) =>
      read(() => {
        const after = cursor === undefined ? 0n : sequenceOfCursor(cursor);
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
        return toLogPage({ rows, after, limit, newest: newest.all()[0] }, firstSequence());
      }),
    head: () => read(lastSequence),
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

/** The key of the event or the test message with this id. Throws AppError `invalid_cursor`. */
export const keyOfCursor = ({ events, deliveries }: LogQueries, cursor: string): EventKey =>
  expectKey(cursor, (key) => (key.number === 0n ? lookUpEvent(events, key) : deliveries.lookUpTestMessage(key.number)));

const lookUpEvent = ({ firstSequence, bySequence }: EventQueries, { sequence }: EventKey) => {
  const [row] = bySequence.all({ sequence });
  return { present: row && toEvent(row), isGone: sequence < (firstSequence() ?? 0n) };
};

/** The statements on events, and on the test messages that come after some. */
export interface LogQueries {
  readonly events: EventQueries;
  readonly deliveries: DeliveryQueries;
}

export type EventQueries = ReturnType<typeof prepareEventQueries>;

/** Statements on events, each prepared once for a client. */
export const prepareEventQueries = (client: SqliteClient) => {
  const isAfter = gt(events.sequence, sql.placeholder('after'));
  const isType = eq(events.type, sql.placeholder('type'));
  const limit = sql.placeholder('limit');
  const columns = getTableColumns(events);
  const select = () => builder.select(fieldsOf(columns)).from(events);
  const created = manyRows(events, {
    sequence: sql`NULL`,
    type: sql`'plant.created'`,
    timestamp: sql`${sql.placeholder('timestamp')}`,
    traceparent: sql`NULL`,
  });
  const { sequence, ...others } = columns;
  const append = prepare<ReturnType<typeof toEventRow>>(
    client,
    builder.insert(events).values({ sequence: sql`NULL`, ...placeholdersOf(others) }),
  );
  const appendMany = prepare<{ rows: string; timestamp: string }>(
    client,
    builder.insert(events).select(created.select),
  );
  const oldest = prepare<{ limit: number }, EventRow>(client, select().orderBy(asc(sequence)).limit(limit));
  const newest = prepare<void, EventRow>(client, select().orderBy(desc(sequence)).limit(1));
  return {
    /** SQLite gives it one more than the largest sequence. */
    append: (event: PlantEvent, traceparent?: string): void => void append.run(toEventRow(event, traceparent)),
    /** Appends the creation of each plant, in order. */
    appendCreated: (plants: readonly NewPlant[], now: Date): void =>
      void appendMany.run({
        rows: created.encode(plants.map((plant) => ({ ...plant, plantId: plant.id }))),
        timestamp: now.toISOString(),
      }),
    bySequence: prepare<{ sequence: bigint }, EventRow>(
      client,
      select().where(eq(sequence, sql.placeholder('sequence'))),
    ),
    page: prepare<{ after: bigint; limit: number }, EventRow>(
      client,
      select().where(isAfter).orderBy(asc(sequence)).limit(limit),
    ),
    pageOfType: prepare<{ type: string; after: bigint; limit: number }, EventRow>(
      client,
      select().where(and(isType, isAfter)).orderBy(asc(sequence)).limit(limit),
    ),
    oldest,
    newest,
    firstSequence: (): bigint | undefined => oldest.all({ limit: 1 })[0]?.sequence,
    /** Returns 0 before the first event. */
    lastSequence: (): bigint => newest.all()[0]?.sequence ?? 0n,
  };
};

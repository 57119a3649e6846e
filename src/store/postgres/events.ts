import { and, asc, desc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { unionAll } from 'drizzle-orm/pg-core';
import { deliveries, events, logHead } from '../../../db/postgres.ts';
import {
  type EventPlace,
  expectNothingMissing,
  expectPlace,
  type PlantEventType,
  placeIn,
  plantEventTypes,
} from '../../domain/event.ts';
import { type EventRow, isEveryType, toEvent, toLogPage } from '../rows/event.ts';
import type { EventStore } from '../store.ts';
import { lookUpTest } from './delivery-queries.ts';
import { prune } from './prune.ts';
import type { Database } from './session/database.ts';

export const createEventStore = ({ read, transact }: Database): EventStore => ({
  list: ({ limit, after: cursor, type }) =>
    read(async ({ db }) => {
      const after = cursor === undefined ? undefined : (placeIn(cursor)?.sequence ?? 0n);
      // The page is read before the beginning of the log: in the other order, events could be removed unnoticed between the two.
      const [rows, oldest, place] = await Promise.all([
        selectEvents(db, { after: after ?? 0n, limit, types: type === undefined ? plantEventTypes : [type] }),
        readOldest(db),
        cursor === undefined ? undefined : placeOfCursor(db, cursor),
      ]);
      if (place) expectNothingMissing(place, oldest);
      return rows.map(toEvent);
    }),
  read: (after, limit, types = plantEventTypes) =>
    read(async ({ db }) => {
      if (isEveryType(types)) {
        const rows = await selectEvents(db, { after, limit, types });
        return toLogPage({ rows, after, limit }, rows[0]?.sequence);
      }
      // In this order: all events up to the newest are among the rows, and no event can be removed unnoticed before the last query.
      const [newest, rows, oldest] = await Promise.all([
        readNewest(db),
        selectEvents(db, { after, limit, types }),
        readOldest(db),
      ]);
      return toLogPage({ rows, after, limit, newest }, oldest);
    }),
  head: () =>
    read(async ({ db }) => {
      const [head] = await db.select({ sequence: logHead.sequence }).from(logHead);
      return head?.sequence ?? 0n;
    }),
  prune: (before, limit) => transact(async ({ db }) => ({ result: await prune(db, before, limit) })),
});

export interface LogRange {
  readonly after: bigint;
  readonly limit: number;
  readonly types: readonly PlantEventType[];
}

/** Reads events of these types, oldest first. `triedBy` is the webhook if it has a delivery of the event, and null otherwise. */
export const selectEvents = async (db: BunSQLDatabase, { after, limit, types }: LogRange, webhookId?: string) => {
  // A join could read all deliveries of the webhook.
  const tried = db
    .select({ webhookId: deliveries.webhookId })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, webhookId ?? ''),
        eq(deliveries.sequence, events.sequence),
        eq(deliveries.number, 0n),
      ),
    );
  const triedBy = webhookId === undefined ? sql<null>`NULL` : sql<string | null>`(${tried})`;
  const select = (isListed: SQL, ...order: SQL[]) =>
    db
      .select({ ...getTableColumns(events), triedBy })
      .from(events)
      .where(isListed)
      .orderBy(...order)
      .limit(limit);
  const inOrder = asc(events.sequence);
  if (isEveryType(types)) return select(gt(events.sequence, after), inOrder);
  // As a range of the index of types: with `type = …`, PostgreSQL can choose the order of the log, and read it up to a rare type.
  const [first, second, ...others] = types.map((type) =>
    select(
      sql`(${events.type}, ${events.sequence}) > (${type}, ${after}) AND ${events.type} <= ${type}`,
      asc(events.type),
      inOrder,
    ),
  );
  if (!first) return [];
  return second
    ? unionAll(first, second, ...others)
        .orderBy(inOrder)
        .limit(limit)
    : first;
};

export const readNewest = async (db: BunSQLDatabase): Promise<EventRow | undefined> => {
  const [newest] = await db.select().from(events).orderBy(desc(events.sequence)).limit(1);
  return newest;
};

/** The sequence of the oldest event in the log. */
export const readOldest = async (db: BunSQLDatabase): Promise<bigint | undefined> => {
  const [oldest] = await db.select({ sequence: events.sequence }).from(events).orderBy(asc(events.sequence)).limit(1);
  return oldest?.sequence;
};

/** The place of the event or the test message with this id. Throws AppError `invalid_cursor`. */
export const placeOfCursor = async (db: BunSQLDatabase, cursor: string): Promise<EventPlace> => {
  const place = placeIn(cursor);
  const found = place && (await (place.number === 0n ? lookUpEvent(db, place) : lookUpTest(db, place.number)));
  return expectPlace(cursor, () => found ?? { present: undefined, isGone: false });
};

const lookUpEvent = async (db: BunSQLDatabase, { sequence }: EventPlace) => {
  const [row] = await db.select().from(events).where(eq(events.sequence, sequence));
  const oldest = row ? sequence : await readOldest(db);
  return { present: row && toEvent(row), isGone: sequence < (oldest ?? 0n) };
};

/**
 * The log of events, and the only code that appends to it. A transaction locks the head of the log last, and commits immediately
 * afterwards. So appending transactions of all processes commit one after the other, in the order of their sequences, without a gap.
 */
import { and, asc, desc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { deliveries, events, logHead } from '../../db/postgres.ts';
import {
  type EventKey,
  expectKey,
  type PlantEvent,
  type PlantEventType,
  parseEventId,
  type Traced,
} from '../events/event.ts';
import { type EventRow, isEveryType, toEvent, toEventRow } from '../events/row.ts';
import { partsOf } from './columns.ts';
import { lookUpTestMessage } from './delivery-queries.ts';
import type { Session } from './session/session.ts';
import type { Drizzle } from './session/sql.ts';

/**
 * Appends events in this order, at the end of a transaction, and returns the sequence of the newest event. The queries are sent immediately, and
 * COMMIT may follow without an await.
 */
export const appendEvents = async ({ sql }: Session, events: readonly Traced<PlantEvent>[]): Promise<bigint> => {
  const [[head]] = await Promise.all([
    sql.query<Head>(moveHead, [events.length]),
    sql.query(appendInput, [events.length, ...toParameters(toRows(events))]),
  ]);
  return expectHead(head);
};

/** The sequence of the newest event, or 0 before the first one. The query is sent immediately. */
export const readHead = async ({ sql }: Session): Promise<bigint> => {
  const [head] = await sql<Head>`SELECT sequence FROM log_head`;
  return expectHead(head);
};

type Head = Pick<typeof logHead.$inferSelect, 'sequence'>;

const expectHead = (head: Head | undefined): bigint => {
  if (!head) throw new Error('The log has no head.');
  return head.sequence;
};

/** Locks the head of the log, so that no event is appended before this transaction ends. Returns the newest sequence, or 0. */
export const lockHead = async (db: Drizzle): Promise<bigint> => {
  const [head] = await db.select().from(logHead).for('update');
  return expectHead(head);
};

/**
 * Collects the events of a long transaction, to append them at its end. `collect` adds events in this order. A statement that inserts
 * into `collected_events` itself takes the sequences after `collected`, and adds the number of its rows to it.
 */
export const createCollection = async ({ sql, isCitus }: Session) => {
  await sql`CREATE TEMPORARY TABLE collected_events (LIKE events) ON COMMIT DROP`;
  const collection = {
    collected: 0,
    collect: async (events: readonly PlantEvent[]): Promise<void> => {
      await sql.query(collectInput, [collection.collected, ...toParameters(toRows(events))]);
      collection.collected += events.length;
    },
    append: async (): Promise<void> => {
      await sql.query(moveHead, [collection.collected]);
      if (!isCitus) await sql.query(appendCollected, [collection.collected]);
      else await appendPages();
    },
  };
  /** The temporary table is on the node of this session, and the log may be on another. */
  const appendPages = async (): Promise<void> => {
    await sql.query(`DECLARE collected NO SCROLL CURSOR FOR SELECT ${fields} FROM collected_events ORDER BY sequence`);
    for (let left = collection.collected; left > 0; ) {
      const rows = await sql.query<Omit<EventRow, 'sequence'>>(`FETCH ${pageRows} FROM collected`);
      if (rows.length === 0) throw new Error('Collected events are missing.');
      await sql.query(appendInput, [left, ...toParameters(rows)]);
      left -= rows.length;
    }
  };
  return collection;
};

export type Collection = Awaited<ReturnType<typeof createCollection>>;

const { sequence: _, ...columns } = getTableColumns(events);
const { names, fields, unnest, toParameters } = partsOf(columns);
const toRows = (events: readonly Traced<PlantEvent>[]) => events.map((event) => toEventRow(event, event.traceparent));

/** The rows of arrays, from the second parameter on, with their places from 1. */
const input = `${unnest(2)} WITH ORDINALITY AS input (${names}, place)`;

/** Locks the head of the log, and moves it by the number of the events that follow. */
const moveHead = 'UPDATE log_head SET sequence = sequence + $1 RETURNING sequence';

/** Appends the rows, which have places from 1, after the head was moved. The first parameter is the number of the events from them on. */
const appendFrom = (rows: string, place: string): string => `
  INSERT INTO events (${names}, sequence) SELECT ${names}, log_head.sequence - $1 + ${place} FROM log_head, ${rows}`;

const collectInput = `INSERT INTO collected_events (${names}, sequence) SELECT ${names}, $1 + place FROM ${input}`;
const appendInput = appendFrom(input, 'place');
const appendCollected = appendFrom('collected_events', 'collected_events.sequence');
const pageRows = 1000;

interface LogRange {
  readonly after: bigint;
  readonly limit: number;
  readonly types: readonly PlantEventType[];
}

/** Reads events of these types, oldest first. `triedBy` is the webhook if it has a delivery of the event, and null otherwise. */
export const selectEvents = async (db: Drizzle, { after, limit, types }: LogRange, webhookId?: string) => {
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

export const readNewest = async (db: Drizzle): Promise<EventRow | undefined> => {
  const [newest] = await db.select().from(events).orderBy(desc(events.sequence)).limit(1);
  return newest;
};

/** The sequence of the oldest event in the log. */
export const readOldest = async (db: Drizzle): Promise<bigint | undefined> => {
  const [oldest] = await db.select({ sequence: events.sequence }).from(events).orderBy(asc(events.sequence)).limit(1);
  return oldest?.sequence;
};

/** The key of the event or the test message with this id. Throws AppError `invalid_cursor`. */
export const keyOfCursor = async (db: Drizzle, cursor: string): Promise<EventKey> => {
  const key = parseEventId(cursor);
  const found = key && (await (key.number === 0n ? lookUpEvent(db, key) : lookUpTestMessage(db, key.number)));
  return expectKey(cursor, () => found ?? { present: undefined, isGone: false });
};

const lookUpEvent = async (db: Drizzle, { sequence }: EventKey) => {
  const [row] = await db.select().from(events).where(eq(events.sequence, sequence));
  const oldest = row ? sequence : await readOldest(db);
  return { present: row && toEvent(row), isGone: sequence < (oldest ?? 0n) };
};

/**
 * The log of events, and the only code that appends to it. A transaction locks the head of the log last, and commits immediately
 * afterwards. So appending transactions of all processes commit one after the other, in the order of their sequences, without a gap.
 */
import { and, asc, desc, eq, getTableColumns, gt, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import {
  type EventKey,
  expectKey,
  type PlantEventType,
  parseEventId,
  plantEventTypes,
  type Traced,
} from '../events/event.ts';
import { type EventRow, isEveryType, toEvent, toEventRow } from '../events/row.ts';
import type { PlantEvent } from '../plants/plant.ts';
import { deliveries, events, logHead } from './db/tables.ts';
import { lookUpTestMessage } from './delivery-queries.ts';
import type { Session } from './session/session.ts';
import { builder, prepare } from './session/statement.ts';
import { collect, declareCollected, newEvents } from './sql-statements.ts';

/**
 * Appends events in this order, at the end of a transaction, and returns the sequence of the newest event. The queries are sent immediately, and
 * COMMIT may follow without an await.
 */
export const appendEvents = async (session: Session, events: readonly Traced<PlantEvent>[]): Promise<bigint> => {
  const [[head]] = await Promise.all([
    moveHead(session, { added: events.length }),
    append(session, { before: events.length, ...newEvents.toArrays(toRows(events)) }),
  ]);
  return expectHead(head);
};

/** The sequence of the newest event, or 0 before the first one. The query is sent immediately. */
export const readHead = async (session: Session): Promise<bigint> => expectHead((await selectHead(session))[0]);

/** Locks the head of the log, so that no event is appended before this transaction ends. Returns the newest sequence, or 0. */
export const lockHead = async (session: Session): Promise<bigint> => expectHead((await selectLockedHead(session))[0]);

type Head = Pick<typeof logHead.$inferSelect, 'sequence'>;

const expectHead = (head: Head | undefined): bigint => {
  if (!head) throw new Error('The log has no head.');
  return head.sequence;
};

const head = { sequence: logHead.sequence };
const selectHead = prepare()(builder.select(head).from(logHead));
const selectLockedHead = prepare()(builder.select(head).from(logHead).for('update'));

/** Locks the head of the log, and moves it by the number of the events that follow. */
const moveHead = prepare<{ added: number }>()(
  builder
    .update(logHead)
    .set({ sequence: sql`${logHead.sequence} + ${sql.placeholder('added')}` })
    .returning(head),
);

const toRows = (events: readonly Traced<PlantEvent>[]) => events.map((event) => toEventRow(event, event.traceparent));

/** Appends the rows, which have places from 1, after the head was moved. `before` is the number of the events from them on. */
const appendFrom = (rows: SQL, place: SQL) =>
  prepare<{ before: number }>()(
    builder
      .insert(events)
      .select(
        sql`SELECT log_head.sequence - ${sql.placeholder('before')} + ${place}, ${newEvents.names} FROM log_head, ${rows}`,
      ),
  );

const append = appendFrom(newEvents.inOrder, sql`place`);

/**
 * Collects the events of a long transaction, to append them at its end. `collect` adds events in this order. A statement that inserts
 * into `collected_events` itself takes the sequences after `collected`, and adds the number of its rows to it.
 */
export const createCollection = async (session: Session) => {
  const { query, isCitus } = session;
  await query('CREATE TEMPORARY TABLE collected_events (LIKE events) ON COMMIT DROP');
  const collection = {
    collected: 0,
    collect: async (events: readonly PlantEvent[]): Promise<void> => {
      await collect(session, { collected: collection.collected, ...newEvents.toArrays(toRows(events)) });
      collection.collected += events.length;
    },
    append: async (): Promise<void> => {
      await moveHead(session, { added: collection.collected });
      if (!isCitus) await appendCollected(session, { before: collection.collected });
      else await appendPages();
    },
  };
  /** The temporary table is on the node of this session, and the log may be on another. */
  const appendPages = async (): Promise<void> => {
    await declareCollected(session);
    let before = collection.collected;
    while (before > 0) {
      const rows = await query<Omit<EventRow, 'sequence'>>(`FETCH ${pageRows} FROM collected`);
      if (rows.length === 0) throw new Error('Collected events are missing.');
      await append(session, { before, ...newEvents.toArrays(rows) });
      before -= rows.length;
    }
  };
  return collection;
};

export type Collection = Awaited<ReturnType<typeof createCollection>>;

const appendCollected = appendFrom(sql`collected_events`, sql`collected_events.sequence`);
const pageRows = 1000;

interface LogRange {
  readonly after: bigint;
  readonly limit: number;
  readonly types: readonly PlantEventType[];
}

/** `triedBy` is the webhook if it has a delivery of the event, and null otherwise. */
type LogRow = EventRow & { readonly triedBy: string | null };

/** Reads events of these types, oldest first. */
export const selectEvents = async (
  session: Session,
  { after, limit, types }: LogRange,
  webhookId?: string,
): Promise<LogRow[]> => {
  const { every, some } = webhookId === undefined ? ofAny : ofWebhook;
  const values = { after, limit, webhookId };
  if (isEveryType(types)) return every(session, values);
  const statement = some[types.length - 1];
  const ofTypes = Object.fromEntries(types.map((type, index) => [`type${index}`, type]));
  return statement ? statement(session, { ...values, ...ofTypes }) : [];
};

const inOrder = asc(events.sequence);
const after = sql.placeholder('after');
const limit = sql.placeholder('limit');

interface LogValues {
  readonly after: bigint;
  readonly limit: number;
  /** Only for `ofWebhook`. */
  readonly webhookId: string | undefined;
}

const prepareLog = (triedBy: SQL<string | null>) => {
  const select = (condition: SQL, ...order: SQL[]) =>
    builder
      .select({ ...getTableColumns(events), triedBy })
      .from(events)
      .where(condition)
      .orderBy(...order)
      .limit(limit);
  // As a range of the index of types: with `type = …`, PostgreSQL can choose the order of the log, and read it up to a rare type.
  const selectType = (index: number) => {
    const type = sql.placeholder(`type${index}`);
    const isInRange = sql`(${events.type}, ${events.sequence}) > (${type}, ${after}) AND ${events.type} <= ${type}`;
    return select(isInRange, asc(events.type), inOrder);
  };
  const selectTypes = (count: number) => {
    const [second, ...others] = Array.from({ length: count - 1 }, (_, index) => selectType(index + 1));
    return second
      ? unionAll(selectType(0), second, ...others)
          .orderBy(inOrder)
          .limit(limit)
      : selectType(0);
  };
  return {
    every: prepare<LogValues>()(select(gt(events.sequence, after), inOrder)),
    /** By the number of types. */
    some: plantEventTypes
      .slice(1)
      .map((_, index) => prepare<LogValues & Record<`type${number}`, string>>()(selectTypes(index + 1))),
  };
};

const ofAny = prepareLog(sql<null>`NULL`);
/** A join could read all deliveries of the webhook. */
const ofWebhook = prepareLog(
  sql<string | null>`(${builder
    .select({ webhookId: deliveries.webhookId })
    .from(deliveries)
    .where(
      and(
        eq(deliveries.webhookId, sql.placeholder('webhookId')),
        eq(deliveries.sequence, events.sequence),
        eq(deliveries.number, 0n),
      ),
    )})`,
);

const select = () => builder.select().from(events);
const newest = prepare()(select().orderBy(desc(events.sequence)).limit(1));
const oldest = prepare()(select().orderBy(inOrder).limit(1));
const bySequence = prepare<{ sequence: bigint }>()(select().where(eq(events.sequence, sql.placeholder('sequence'))));

export const readNewest = async (session: Session): Promise<EventRow | undefined> => (await newest(session))[0];

/** The sequence of the oldest event in the log. */
export const readOldest = async (session: Session): Promise<bigint | undefined> => (await oldest(session))[0]?.sequence;

/** The key of the event or the test message with this id. Throws AppError `invalid_cursor`. */
export const keyOfCursor = async (session: Session, cursor: string): Promise<EventKey> => {
  const key = parseEventId(cursor);
  const found = key && (await (key.number === 0n ? lookUpEvent(session, key) : lookUpTest(session, key)));
  return expectKey(cursor, () => found ?? { existing: undefined, isGone: false });
};

const lookUpTest = async (session: Session, { sequence, number }: EventKey) => {
  const [{ existing, isGone }, newest] = await Promise.all([lookUpTestMessage(session, number), readHead(session)]);
  return { existing, isGone: isGone && sequence <= newest };
};

const lookUpEvent = async (session: Session, { sequence }: EventKey) => {
  const [row] = await bySequence(session, { sequence });
  const oldest = row ? sequence : await readOldest(session);
  return { existing: row && toEvent(row), isGone: sequence < (oldest ?? 0n) };
};

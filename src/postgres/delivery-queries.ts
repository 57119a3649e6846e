import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lt, lte, max, type SQL, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { deliveries, events } from '../../db/postgres.ts';
import { type Delivery, testMessagesPendingMax } from '../deliveries/delivery.ts';
import { toDelivery, toDeliveryRow, toTestMessage } from '../deliveries/row.ts';
import type { EventKey } from '../events/event.ts';
import type { DueRange } from '../store/store.ts';
import { isOnNode, partsOf } from './columns.ts';
import type { Session } from './session/session.ts';
import type { Drizzle } from './session/sql.ts';

export const findDelivery = async (db: Drizzle, webhookId: string, key: EventKey): Promise<Delivery | undefined> =>
  (await selectDeliveries(db, webhookId, and(eq(sequence, key.sequence), eq(number, key.number)))).map(toDelivery)[0];

/** Lists at most `limit` deliveries before the key, newest first. */
export const readPage = async (
  db: Drizzle,
  webhookId: string,
  before: EventKey,
  limit: number,
): Promise<Delivery[]> => {
  const isBefore = sql`(${sequence}, ${number}) < (${before.sequence}, ${before.number})`;
  const rows = selectDeliveries(db, webhookId, isBefore).orderBy(desc(sequence), desc(number)).limit(limit);
  return (await rows).map(toDelivery);
};

/**
 * Lists due deliveries: the requested ones, then those scheduled, then those that a clock ahead has scheduled too late. It is one
 * statement, so that all are from one snapshot, and none is listed twice.
 */
export const readDue = async (
  db: Drizzle,
  webhookId: string,
  { now, latest, limit }: DueRange,
): Promise<Delivery[]> => {
  const isScheduled = isNull(requestedAt);
  const select = (condition: SQL | undefined, order: SQL) =>
    selectDeliveries(db, webhookId, condition).orderBy(order).limit(limit);
  const due = unionAll(
    select(isNotNull(requestedAt), asc(requestedAt)),
    select(and(isScheduled, lte(nextAttemptAt, now)), asc(nextAttemptAt)),
    select(and(isScheduled, gt(nextAttemptAt, latest)), asc(nextAttemptAt)),
  );
  return (await due.orderBy(sql`requested_at`, sql`next_attempt_at`).limit(limit)).map(toDelivery);
};

/** Finds those of these deliveries that are stored, by their position in the list. */
export const findPresent = async ({ sql }: Session, sought: readonly Delivery[]) => {
  const rows = await sql.query<PresentRow>(findStatement, keys.toParameters(sought.map(toDeliveryRow)));
  return new Map(rows.map((row) => [Number(row.position) - 1, row]));
};

/** Stores deliveries of locked webhooks. The query is sent immediately, and COMMIT may follow without an await. */
export const putDeliveries = ({ sql }: Session, changed: readonly Delivery[]): Promise<unknown> =>
  sql.query(putStatement, all.toParameters(changed.map(toDeliveryRow)));

/** The number of the newest test message, or 0. */
export const readNewestTestMessage = async (db: Drizzle): Promise<bigint> => {
  const [newest] = await db
    .select({ number: max(number) })
    .from(deliveries)
    .where(isTest);
  return newest?.number ?? 0n;
};

/** Finds the test message with this number, and whether it may have been pruned: they are pruned by their age, not in order. */
export const lookUpTestMessage = async (db: Drizzle, sought: bigint) => {
  const [row] = await db
    .select()
    .from(deliveries)
    .where(and(isTest, eq(number, sought)));
  return { present: row && toTestMessage(row), isGone: sought <= ((await readNewestTestMessage(db)) || sought) };
};

/** Counts to `testMessagesPendingMax` at most. */
export const countPendingTestMessages = async (db: Drizzle, webhookId: string): Promise<number> => {
  const pending = db.select({ number }).from(deliveries).where(isPendingTest(webhookId)).limit(testMessagesPendingMax);
  return (await pending).length;
};

export const removePendingTestMessages = async (db: Drizzle, webhookId: string): Promise<void> =>
  void (await db.delete(deliveries).where(isPendingTest(webhookId)));

/** Removes the oldest settled test messages from before this time, at most `limit`. Returns their number. */
export const removeSettledTestMessages = async (db: Drizzle, before: string, limit: number): Promise<number> => {
  const settled = db
    .select({ number })
    .from(deliveries)
    .where(and(isNull(nextAttemptAt), lt(timestamp, before)))
    .orderBy(timestamp)
    .limit(limit);
  // As an array, since PostgreSQL may read the whole table for a join.
  const isSettled = sql`${number} = ANY(ARRAY(${settled}))`;
  return (await db.delete(deliveries).where(and(isTest, isSettled)).returning({ number })).length;
};

const columns = getTableColumns(deliveries);
const { webhookId, sequence, number, timestamp, nextAttemptAt, requestedAt } = columns;
const isTest = isNotNull(timestamp);
const isPendingTest = (id: string) => and(eq(webhookId, id), isTest, isNotNull(nextAttemptAt));

const selectDeliveries = (db: Drizzle, id: string, condition: SQL | undefined) =>
  db
    .select({ delivery: columns, event: getTableColumns(events) })
    .from(deliveries)
    .leftJoin(events, and(eq(number, 0n), eq(events.sequence, sequence)))
    .where(and(eq(webhookId, id), condition))
    .$dynamic();

const all = partsOf(columns);
const keys = partsOf({ webhookId, sequence, number });
const { webhookId: _, sequence: __, number: ___, ...changeable } = columns;

const putStatement = `
  INSERT INTO deliveries (${all.names}) SELECT * FROM ${all.unnest(1)} WHERE ${isOnNode}
  ON CONFLICT (${keys.names}) DO UPDATE SET ${partsOf(changeable).excluded}`;

interface PresentRow {
  /** The position of the delivery in the list, from 1. */
  readonly position: bigint;
  readonly requestedAt: string | null;
}

// The limit prevents a join, for which PostgreSQL may read the whole table.
const findStatement = `
  SELECT position, requested_at AS "requestedAt"
  FROM ${keys.unnest(1)} WITH ORDINALITY AS input (${keys.names}, position),
    LATERAL (
      SELECT requested_at FROM deliveries
      WHERE webhook_id = input.webhook_id AND sequence = input.sequence AND number = input.number LIMIT 1
    ) AS present`;

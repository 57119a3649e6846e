import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  type SQL,
  sql,
} from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { deliveries, events } from '../../../db/sqlite.ts';
import { type Delivery, testMessagesPendingMax } from '../../domain/delivery.ts';
import type { EventKey } from '../../domain/event.ts';
import { toDelivery, toDeliveryRow, toTestMessage } from '../rows/delivery.ts';
import type { DueRange } from '../store.ts';
import { placeholdersOf } from './statement.ts';

export type DeliveryQueries = ReturnType<typeof prepareDeliveryQueries>;

/** Statements on deliveries, each prepared once for a client. Those on test messages alone are rare, and not prepared. */
export const prepareDeliveryQueries = (db: BunSQLiteDatabase) => {
  const isOfWebhook = eq(webhookId, sql.placeholder('webhookId'));
  const isOfLog = eq(number, 0n);
  const limit = sql.placeholder('limit');
  const key = sql`(${sql.placeholder('sequence')}, ${sql.placeholder('number')})`;

  const select = (condition: SQL | undefined, ...order: SQL[]) =>
    db
      .select({ delivery: getTableColumns(deliveries), event: getTableColumns(events) })
      .from(deliveries)
      .leftJoin(events, and(isOfLog, eq(events.sequence, sequence)))
      .where(and(isOfWebhook, condition))
      .orderBy(...order)
      .limit(limit)
      .prepare();
  /** Selects from the log. `triedBy` is null when the webhook has no delivery of the event. */
  const selectLog = (condition?: SQL) =>
    db
      .select({ ...getTableColumns(events), triedBy: webhookId })
      .from(events)
      .leftJoin(deliveries, and(isOfWebhook, eq(sequence, events.sequence), isOfLog))
      .where(and(condition, gt(events.sequence, sql.placeholder('after'))))
      .orderBy(asc(events.sequence))
      .limit(limit)
      .prepare();

  const byKey = select(sql`(${sequence}, ${number}) = ${key}`);
  const page = select(sql`(${sequence}, ${number}) < ${key}`, desc(sequence), desc(number));
  const requested = select(isNotNull(requestedAt), asc(requestedAt));
  const isScheduled = isNull(requestedAt);
  const scheduled = select(and(isScheduled, lte(nextAttemptAt, sql.placeholder('now'))), asc(nextAttemptAt));
  const scheduledAfter = select(and(isScheduled, gt(nextAttemptAt, sql.placeholder('latest'))), asc(nextAttemptAt));
  const put = db
    .insert(deliveries)
    .values(placeholdersOf(columns))
    .onConflictDoUpdate({ target: [webhookId, sequence, number], set: placeholdersOf(changeable) })
    .prepare();

  const isTest = isNotNull(timestamp);
  const isPendingTest = (id: string) => and(eq(webhookId, id), isTest, isNotNull(nextAttemptAt));
  const newestTestMessage = (): bigint =>
    db
      .select({ number: max(number) })
      .from(deliveries)
      .where(isTest)
      .get()?.number ?? 0n;

  return {
    log: selectLog(),
    logOfType: selectLog(eq(events.type, sql.placeholder('type'))),
    find: (webhookId: string, key: EventKey): Delivery | undefined =>
      byKey.all({ webhookId, ...key, limit: 1 }).map(toDelivery)[0],
    /** Lists at most `limit` deliveries before the key, newest first. */
    page: (webhookId: string, before: EventKey, limit: number): Delivery[] =>
      page.all({ webhookId, ...before, limit }).map(toDelivery),
    /** Lists due deliveries: the requested ones, then those scheduled, then those that a clock ahead has scheduled too late. */
    due: (webhookId: string, range: DueRange): Delivery[] => {
      const values = { webhookId, ...range };
      const rows = [...requested.all(values), ...scheduled.all(values)];
      if (rows.length < range.limit) rows.push(...scheduledAfter.all(values));
      return rows.slice(0, range.limit).map(toDelivery);
    },
    put: (delivery: Delivery): void => void put.run({ ...toDeliveryRow(delivery) }),

    /** The number of the newest test message, or 0. */
    newestTestMessage,
    /** Finds the test message with this number, and whether it may have been pruned: they are pruned by their age, not in order. */
    lookUpTestMessage: (sought: bigint) => {
      const row = db
        .select()
        .from(deliveries)
        .where(and(isTest, eq(number, sought)))
        .get();
      return { present: row && toTestMessage(row), isGone: sought <= (newestTestMessage() || sought) };
    },
    /** Counts to `testMessagesPendingMax` at most. */
    countPendingTestMessages: (webhookId: string): number =>
      db.select({ number }).from(deliveries).where(isPendingTest(webhookId)).limit(testMessagesPendingMax).all().length,
    removePendingTestMessages: (webhookId: string): void =>
      void db.delete(deliveries).where(isPendingTest(webhookId)).run(),
    /** Removes the oldest settled test messages from before this time, at most `limit`. Returns their number. */
    removeSettledTestMessages: (before: string, limit: number): number => {
      const settled = db
        .select({ rowid: sql`rowid` })
        .from(deliveries)
        .where(and(isNull(nextAttemptAt), lt(timestamp, before)))
        .orderBy(timestamp)
        .limit(limit);
      return db.delete(deliveries).where(inArray(sql`rowid`, settled)).returning({ number }).all().length;
    },
  };
};

const columns = getTableColumns(deliveries);
const { webhookId, sequence, number, timestamp, nextAttemptAt, requestedAt } = columns;
const { webhookId: _, sequence: __, number: ___, ...changeable } = columns;

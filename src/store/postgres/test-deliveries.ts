import { and, count, desc, eq, isNotNull, isNull, lt, max, type SQL, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { unionAll } from 'drizzle-orm/pg-core';
import { webhookTests as tests } from '../../../db/postgres.ts';
import { type Delivery, request, testsPendingMax } from '../../domain/delivery.ts';
import { toDeliveryRow, toTestDelivery } from '../rows/delivery.ts';
import {
  type DeliveryTable,
  type DueReason,
  dueReasons,
  type RequestRow,
  toDeliveryArrays,
  toRequests,
} from './delivery-queries.ts';
import { lockHead } from './log.ts';

export const testDeliveries: DeliveryTable = {
  find: async ({ db }, webhookId, { number }) =>
    (await selectTests(db, webhookId, eq(tests.number, number))).map(toTestDelivery)[0],
  page: async ({ db }, webhookId, { sequence, number }, limit) => {
    const isBefore = sql`(${tests.sequence}, ${tests.number}) < (${sequence}, ${number})`;
    const rows = selectTests(db, webhookId, isBefore).orderBy(desc(tests.sequence), desc(tests.number)).limit(limit);
    return (await rows).map(toTestDelivery);
  },
  due: async ({ db }, webhookId, range) => {
    const select = ({ condition, order }: DueReason) =>
      selectTests(db, webhookId, condition).orderBy(order).limit(range.limit);
    const { requested, scheduled, scheduledAfter } = dueReasons(tests, range);
    return (await unionAll(select(requested), select(scheduled), select(scheduledAfter))).map(toTestDelivery);
  },
  findRequests: async ({ sql }, sought) => {
    const { webhookId, number } = toDeliveryArrays(sql, sought);
    const rows: RequestRow[] = await sql`
      SELECT place, next_attempt_at, requested_at
      FROM unnest(${webhookId}, ${number})
          WITH ORDINALITY AS input (webhook_id, number, place),
        LATERAL (
          SELECT next_attempt_at, requested_at FROM webhook_tests
          WHERE number = input.number AND webhook_id = input.webhook_id LIMIT 1
        ) AS present
      WHERE requested_at IS NOT NULL`;
    return toRequests(sought, rows);
  },
  /** Does not restore a test that was removed meanwhile. */
  put: ({ sql }, changed) => {
    const { webhookId, number, attempts, attemptsInRound, nextAttemptAt, requestedAt } = toDeliveryArrays(sql, changed);
    return sql`
      UPDATE webhook_tests SET attempts = input.attempts, attempts_in_round = input.attempts_in_round,
        next_attempt_at = input.next_attempt_at, requested_at = input.requested_at
      FROM unnest(${webhookId}, ${number}, ${attempts}, ${attemptsInRound}, ${nextAttemptAt},
        ${requestedAt}) AS input (webhook_id, number, attempts, attempts_in_round, next_attempt_at, requested_at)
      WHERE webhook_tests.number = input.number AND webhook_tests.webhook_id = input.webhook_id`.execute();
  },
};

/** Adds a test of this webhook, which is requested now. */
export const insertTest = async (db: BunSQLDatabase, webhookId: string, now: Date): Promise<Delivery> => {
  // While this lock is held, no other test gets a number.
  const sequence = await lockHead(db);
  const [newest] = await db.select({ number: max(tests.number) }).from(tests);
  const number = (newest?.number ?? 0n) + 1n;
  const event: Delivery['event'] = { type: 'webhook.test', sequence, number, timestamp: now.toISOString() };
  const delivery = request({ webhookId, event, attempts: [], attemptsInRound: 0 }, now);
  await db.insert(tests).values({ ...toDeliveryRow(delivery), ...event });
  return delivery;
};

/** Counts to `testsPendingMax` at most. */
export const countPendingTests = async (db: BunSQLDatabase, webhookId: string): Promise<number> => {
  const pending = selectTests(db, webhookId, isNotNull(tests.nextAttemptAt)).limit(testsPendingMax).as('pending');
  const [counted] = await db.select({ total: count() }).from(pending);
  return counted?.total ?? 0;
};

export const removePendingTests = async (db: BunSQLDatabase, webhookId: string): Promise<void> =>
  void (await db.delete(tests).where(and(eq(tests.webhookId, webhookId), isNotNull(tests.nextAttemptAt))));

/** Removes the oldest settled tests from before this time, at most `limit`. Returns their number. */
export const removeSettledTests = async (db: BunSQLDatabase, before: string, limit: number): Promise<number> => {
  const settled = db
    .select({ number: tests.number })
    .from(tests)
    .where(and(isNull(tests.nextAttemptAt), lt(tests.timestamp, before)))
    .orderBy(tests.timestamp)
    .limit(limit);
  // As an array, since PostgreSQL may read the whole table for a join.
  const isSettled = sql`${tests.number} = ANY(ARRAY(${settled}))`;
  return (await db.delete(tests).where(isSettled).returning({ number: tests.number })).length;
};

const selectTests = (db: BunSQLDatabase, webhookId: string, condition: SQL | undefined) =>
  db
    .select()
    .from(tests)
    .where(and(eq(tests.webhookId, webhookId), condition))
    .$dynamic();

import { and, desc, eq, inArray, isNotNull, isNull, lt, type SQL, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { webhookTests as tests } from '../../../db/sqlite.ts';
import { type Delivery, testsPendingMax } from '../../domain/delivery.ts';
import { type EventPlace, placeOf } from '../../domain/event.ts';
import { toDeliveryRow, toTest, toTestDelivery } from '../rows/delivery.ts';
import { type DeliveryTable, newestSequence, prepareDueQueries } from './delivery-queries.ts';

/** The deliveries of tests. They are few, so only the frequent statements of the sender are prepared. */
export const createTestDeliveries = (db: BunSQLiteDatabase) => {
  const select = (webhookId: unknown, condition: SQL | undefined, ...order: SQL[]) =>
    db
      .select()
      .from(tests)
      .where(and(sql`${tests.webhookId} = ${webhookId}`, condition))
      .orderBy(...order);
  const dueQueries = prepareDueQueries(tests, (condition, order) =>
    select(sql.placeholder('webhookId'), condition, order).limit(sql.placeholder('limit')).prepare(),
  );
  const findRow = (number: bigint) => db.select().from(tests).where(eq(tests.number, number)).get();
  const isPending = (webhookId: string) => and(eq(tests.webhookId, webhookId), isNotNull(tests.nextAttemptAt));

  return {
    find: (webhookId, { number }) => {
      const row = findRow(number);
      return row?.webhookId === webhookId ? toTestDelivery(row) : undefined;
    },
    page: (webhookId, { sequence, number }, limit) => {
      // One condition for both would read all tests of the sequence.
      const isOlderOfSequence = and(eq(tests.sequence, sequence), lt(tests.number, number));
      const near = select(webhookId, isOlderOfSequence, desc(tests.number)).limit(limit).all();
      const rest = select(webhookId, lt(tests.sequence, sequence), desc(tests.sequence), desc(tests.number))
        .limit(limit - near.length)
        .all();
      return [...near, ...rest].map(toTestDelivery);
    },
    due: (reason, values) => dueQueries[reason].all({ ...values }).map(toTestDelivery),
    /** Does not restore a test that was removed meanwhile. */
    put: (delivery) =>
      db
        .update(tests)
        .set(toDeliveryRow(delivery))
        .where(eq(tests.number, placeOf(delivery.event).number))
        .run(),
    /** Adds a test of this webhook, which is not due yet. */
    insert: (webhookId: string, now: Date): Delivery => {
      const values = {
        webhookId,
        sequence: newestSequence,
        timestamp: now.toISOString(),
        attempts: [],
        attemptsInRound: 0n,
      };
      // SQLite gives it one more than the largest number.
      const row = db.insert(tests).values({ ...values, number: sql`NULL` });
      return toTestDelivery(row.returning().get());
    },
    /** Counts to `testsPendingMax` at most. */
    countPending: (webhookId: string): number =>
      db.select({ number: tests.number }).from(tests).where(isPending(webhookId)).limit(testsPendingMax).all().length,
    removePending: (webhookId: string): void => void db.delete(tests).where(isPending(webhookId)).run(),
    /** Removes the oldest settled tests from before this time, at most `limit`. Returns their number. */
    removeSettled: (before: string, limit: number): number => {
      const settled = db
        .select({ number: tests.number })
        .from(tests)
        .where(and(isNull(tests.nextAttemptAt), lt(tests.timestamp, before)))
        .orderBy(tests.timestamp)
        .limit(limit);
      return db.delete(tests).where(inArray(tests.number, settled)).returning({ number: tests.number }).all().length;
    },
    /** Finds the test at this place, and whether it may have been pruned: tests are pruned by their age, not in order. */
    lookUp: ({ number }: EventPlace) => {
      const row = findRow(number);
      const newest = db.select({ number: tests.number }).from(tests).orderBy(desc(tests.number)).limit(1).get();
      return { present: row && toTest(row), isGone: number <= (newest?.number ?? number) };
    },
  } satisfies DeliveryTable & Record<string, unknown>;
};

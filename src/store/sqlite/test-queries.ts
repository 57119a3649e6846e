import { and, desc, eq, isNotNull, lt, type SQL, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { events, webhookTests as tests } from '../../../db/sqlite.ts';
import { type Delivery, testsPendingMax } from '../../domain/delivery.ts';
import { placeOf, type Sequenced, type WebhookTest } from '../../domain/event.ts';
import { changedColumns, type DeliveryTable, prepareDueQueries, toColumns, toDelivery } from './delivery-rows.ts';

/** Statements on the tests of webhooks, each prepared once for a client. */
export const prepareTestQueries = (db: BunSQLiteDatabase) => {
  const isOfWebhook = eq(tests.webhookId, sql.placeholder('webhookId'));
  const isNumber = eq(tests.number, sql.placeholder('number'));
  const limit = sql.placeholder('limit');
  const select = (condition: SQL | undefined, ...order: SQL[]) =>
    db
      .select()
      .from(tests)
      .where(and(isOfWebhook, condition))
      .orderBy(...order)
      .limit(limit)
      .prepare();
  return {
    ...prepareDueQueries(tests, select),
    insert: db
      .insert(tests)
      .values({
        // SQLite puts in one more than the largest.
        number: sql`NULL`,
        webhookId: sql.placeholder('webhookId'),
        sequence: sql`(SELECT coalesce(max(${events.sequence}), 0) FROM ${events})`,
        timestamp: sql.placeholder('timestamp'),
        attempts: [],
        tries: 0n,
      })
      .returning()
      .prepare(),
    byNumber: db.select().from(tests).where(isNumber).prepare(),
    newest: db.select({ number: tests.number }).from(tests).orderBy(desc(tests.number)).limit(1).prepare(),
    /** Those after the same event, which are older. */
    pageOfSequence: select(
      and(eq(tests.sequence, sql.placeholder('sequence')), lt(tests.number, sql.placeholder('number'))),
      desc(tests.number),
    ),
    /** Those after earlier events. */
    page: select(lt(tests.sequence, sql.placeholder('sequence')), desc(tests.sequence), desc(tests.number)),
    /** Looks no further than the limit. */
    pending: db
      .select({ number: tests.number })
      .from(tests)
      .where(and(isOfWebhook, isNotNull(tests.nextAttemptAt)))
      .limit(testsPendingMax)
      .prepare(),
    /** A test that has been removed meanwhile stays removed. */
    put: db.update(tests).set(changedColumns).where(isNumber).prepare(),
    removePending: db
      .delete(tests)
      .where(and(isOfWebhook, isNotNull(tests.nextAttemptAt)))
      .prepare(),
    removeSettled: db
      .delete(tests)
      .where(
        sql`${tests.number} IN (
          SELECT ${tests.number} FROM ${tests}
          WHERE ${tests.nextAttemptAt} IS NULL AND ${tests.timestamp} < ${sql.placeholder('before')}
          ORDER BY ${tests.timestamp} LIMIT ${limit})`,
      )
      .returning({ number: tests.number })
      .prepare(),
  };
};

export type TestQueries = ReturnType<typeof prepareTestQueries>;

/** The deliveries of tests. */
export const createTestDeliveries = (queries: TestQueries): DeliveryTable => ({
  find: (webhookId, { number }) =>
    queries.byNumber
      .all({ number })
      .filter((row) => row.webhookId === webhookId)
      .map(fromRow)[0],
  page: (webhookId, { sequence, number }, limit) => {
    const near = number > 0n ? queries.pageOfSequence.all({ webhookId, sequence, number, limit }) : [];
    const rest = near.length < limit ? queries.page.all({ webhookId, sequence, limit: limit - near.length }) : [];
    return [...near, ...rest].map(fromRow);
  },
  due: (reason, values) => queries[reason].all({ ...values }).map(fromRow),
  put: (delivery) => {
    const { webhookId: _, ...columns } = toColumns(delivery);
    queries.put.run({ ...columns, number: placeOf(delivery.event).number });
  },
});

/** Adds a test of this webhook, which is not due yet. */
export const insertTest = ({ insert }: TestQueries, webhookId: string, now: Date): Delivery =>
  fromRow(insert.get({ webhookId, timestamp: now.toISOString() }));

const fromRow = (row: typeof tests.$inferSelect): Delivery => toDelivery(row, toTest(row));

export const toTest = ({ sequence, number, timestamp }: typeof tests.$inferSelect): Sequenced<WebhookTest> => ({
  sequence,
  number,
  type: 'webhook.test',
  timestamp,
});

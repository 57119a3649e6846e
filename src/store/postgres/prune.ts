import { and, asc, desc, eq, inArray, isNotNull, lt, lte, min, sql } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { deliveries, events, transactions } from '../../../db/postgres.ts';
import { prunableSequences } from '../../domain/event.ts';
import { removeSettledTests } from './delivery-queries.ts';
import { holdAllWebhooks } from './webhooks.ts';

/** Implements `EventStore.prune` in a transaction. Requests and records wait meanwhile, since they lock a webhook first. */
export const prune = async (db: BunSQLDatabase, before: string, limit: number): Promise<number> => {
  await removeTransactions(db, before);
  const webhooks = await holdAllWebhooks(db);
  const removedTests = await removeSettledTests(db, before, limit);
  const [[newest], rows] = await Promise.all([
    db.select({ sequence: events.sequence }).from(events).orderBy(desc(events.sequence)).limit(1),
    db
      .select({ sequence: events.sequence, timestamp: events.timestamp })
      .from(events)
      .orderBy(asc(events.sequence))
      .limit(limit - removedTests),
  ]);
  const upTo = rows.findLast(({ timestamp }) => timestamp < before)?.sequence;
  if (upTo === undefined) return removedTests;
  const enabled = webhooks.filter(({ disabled }) => !disabled);
  const positions = enabled.map(({ position }) => position);
  const pending = await findFirstPending(
    db,
    enabled.map(({ id }) => id),
    upTo,
  );
  const removed = prunableSequences(rows, { since: before, newest: newest?.sequence, positions, pending });
  const last = removed.at(-1);
  if (last !== undefined) await removeUpTo(db, last);
  return removedTests + removed.length;
};

/** The first sequence up to this one with a pending delivery to one of these webhooks, if any. */
const findFirstPending = async (db: BunSQLDatabase, webhookIds: string[], upTo: bigint): Promise<bigint[]> => {
  const rows = await db
    .select({ sequence: min(deliveries.sequence) })
    .from(deliveries)
    .where(and(isUpTo(webhookIds, upTo), isNotNull(deliveries.nextAttemptAt)));
  return rows.flatMap(({ sequence }) => sequence ?? []);
};

const removeUpTo = async (db: BunSQLDatabase, last: bigint): Promise<void> => {
  await db.delete(deliveries).where(isUpTo(await findWebhookIds(db), last));
  await db.delete(events).where(lte(events.sequence, last));
};

/**
 * The webhooks that have deliveries, of which some have been deleted. Deliveries are found by their primary key, which begins with
 * the webhook: an index by event would cost every delivery.
 */
const findWebhookIds = async (db: BunSQLDatabase): Promise<string[]> => {
  const rows = await db.execute<{ id: string }>(sql`
    WITH RECURSIVE found (id) AS (
      SELECT min(webhook_id) FROM deliveries
      UNION ALL
      SELECT (SELECT min(webhook_id) FROM deliveries WHERE webhook_id > found.id) FROM found WHERE found.id IS NOT NULL
    )
    SELECT id FROM found WHERE id IS NOT NULL`);
  return rows.map(({ id }) => id);
};

/** The deliveries of events of the log: a test message is pruned by its own age. */
const isUpTo = (webhookIds: string[], last: bigint) =>
  and(inArray(deliveries.webhookId, webhookIds), lte(deliveries.sequence, last), eq(deliveries.number, 0n));

/** Removes the rows of processes that have ended. Any other process needs its newest transaction's row for a few seconds. */
const removeTransactions = async (db: BunSQLDatabase, before: string): Promise<void> => {
  const longAgo = new Date(Date.now() - transactionKeptMsMin).toISOString();
  await db.delete(transactions).where(lt(transactions.createdAt, before < longAgo ? before : longAgo));
};

const transactionKeptMsMin = 60 * 60 * 1000;

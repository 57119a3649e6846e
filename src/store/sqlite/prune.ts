import { and, eq, gt, isNotNull, isNull, lte, min } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { deliveries, events, webhooks } from '../../../db/sqlite.ts';
import type { Queries } from './queries.ts';

/**
 * Implements `EventStore.prune` in a transaction. Only the beginning of the log is removed, never a part of its middle, so
 * that the oldest event shows which events were removed.
 */
export const prune = (
  db: BunSQLiteDatabase,
  { events: { oldest, newest }, tests }: Queries,
  before: string,
  limit: number,
): number => {
  const removedTests = tests.removeSettled(before, limit);
  const kept = newest.get()?.sequence;
  const rows = oldest.all({ limit: limit - removedTests });
  const end = rows.findIndex(({ sequence, timestamp }) => timestamp >= before || sequence === kept);
  const old = (end === -1 ? rows : rows.slice(0, end)).map(({ sequence }) => sequence);
  const newestOld = old.at(-1);
  if (newestOld === undefined) return removedTests;
  const last = lastUnneeded(db, newestOld);
  removeUpTo(db, last);
  return removedTests + old.filter((sequence) => sequence <= last).length;
};

/** The last sequence, up to this one, that no enabled webhook waits for. */
const lastUnneeded = (db: BunSQLiteDatabase, upTo: bigint): bigint => {
  const { id, position, disabledAt } = webhooks;
  const enabled = db.select({ id, position }).from(webhooks).where(isNull(disabledAt)).all();
  return enabled.reduce((last, webhook) => {
    const isPending = and(isUpTo(webhook.id, last), isNotNull(deliveries.nextAttemptAt));
    const first = db
      .select({ sequence: min(deliveries.sequence) })
      .from(deliveries)
      .where(isPending)
      .get()?.sequence;
    return lesser(lesser(last, webhook.position), first ? first - 1n : last);
  }, upTo);
};

/**
 * Deliveries are removed webhook by webhook, by their primary key: an index by event would cost every delivery. The ids are
 * those of the deliveries, since some webhooks have been deleted.
 */
const removeUpTo = (db: BunSQLiteDatabase, last: bigint): void => {
  const nextId = (after: string) =>
    db
      .select({ id: min(deliveries.webhookId) })
      .from(deliveries)
      .where(gt(deliveries.webhookId, after))
      .get()?.id;
  for (let id = nextId(''); id; id = nextId(id)) db.delete(deliveries).where(isUpTo(id, last)).run();
  db.delete(events).where(lte(events.sequence, last)).run();
};

const isUpTo = (webhookId: string, last: bigint) =>
  and(eq(deliveries.webhookId, webhookId), lte(deliveries.sequence, last));

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

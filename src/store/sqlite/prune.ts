import { and, eq, gt, isNotNull, isNull, lte, min, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { deliveries, events, webhooks } from '../../../db/sqlite.ts';
import type { EventQueries } from './event-queries.ts';
import type { TestQueries } from './test-queries.ts';

/**
 * Statements on what is old, each prepared once for a client. Deliveries are found webhook by webhook, by their primary key:
 * an index by event alone would cost every delivery, and there are few webhooks.
 */
export const preparePruneQueries = (db: BunSQLiteDatabase) => {
  const isOfWebhook = eq(deliveries.webhookId, sql.placeholder('webhookId'));
  const isUpTo = lte(deliveries.sequence, sql.placeholder('last'));
  return {
    enabled: db
      .select({ webhookId: webhooks.id, position: webhooks.position })
      .from(webhooks)
      .where(isNull(webhooks.disabledAt))
      .prepare(),
    firstPending: db
      .select({ sequence: min(deliveries.sequence) })
      .from(deliveries)
      .where(and(isOfWebhook, isUpTo, isNotNull(deliveries.nextAttemptAt)))
      .prepare(),
    /** From the deliveries, since webhooks that have been deleted left theirs behind. */
    nextWebhook: db
      .select({ webhookId: min(deliveries.webhookId) })
      .from(deliveries)
      .where(gt(deliveries.webhookId, sql.placeholder('after')))
      .prepare(),
    removeDeliveries: db.delete(deliveries).where(and(isOfWebhook, isUpTo)).prepare(),
    removeEvents: db
      .delete(events)
      .where(lte(events.sequence, sql.placeholder('last')))
      .prepare(),
  };
};

/**
 * Removes the oldest tests that are settled, and the oldest events and their deliveries, as `EventStore.prune` says; to be run
 * in a transaction. The log loses its beginning and never a piece of its middle, so that what is gone can be told from the
 * oldest event that is there.
 */
export const createPrune = (
  db: BunSQLiteDatabase,
  { oldest, newest }: EventQueries,
  { removeSettled }: TestQueries,
) => {
  const queries = preparePruneQueries(db);

  /** The last of these that no enabled webhook waits for; what is before the first of them if there is none. */
  const lastUnneeded = (last: bigint): bigint =>
    queries.enabled.all().reduce((least, { webhookId, position }) => {
      const pending = queries.firstPending.get({ webhookId, last: least })?.sequence ?? null;
      return lesser(lesser(least, position), pending === null ? least : pending - 1n);
    }, last);

  const removeUpTo = (last: bigint): void => {
    let webhookId: string | null = '';
    for (;;) {
      webhookId = queries.nextWebhook.get({ after: webhookId })?.webhookId ?? null;
      if (webhookId === null) break;
      queries.removeDeliveries.run({ webhookId, last });
    }
    queries.removeEvents.run({ last });
  };

  const pruneEvents = (before: string, limit: number): number => {
    const kept = newest.get()?.sequence;
    const rows = oldest.all({ limit });
    const end = rows.findIndex(({ sequence, timestamp }) => timestamp >= before || sequence === kept);
    const old = (end === -1 ? rows : rows.slice(0, end)).map(({ sequence }) => sequence);
    const newestOld = old.at(-1);
    if (newestOld === undefined) return 0;
    const last = lastUnneeded(newestOld);
    removeUpTo(last);
    return old.filter((sequence) => sequence <= last).length;
  };

  return (before: string, limit: number): number => {
    const tests = removeSettled.all({ before, limit }).length;
    return tests + (tests < limit ? pruneEvents(before, limit - tests) : 0);
  };
};

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

import { and, eq, gt, isNotNull, isNull, lte, min, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { deliveries, events, webhooks } from '../../../db/sqlite.ts';
import type { EventQueries } from './event-queries.ts';

/**
 * Removes the oldest events and their deliveries, as `EventStore.prune` says; to be run in a transaction. The log loses its
 * beginning and never a piece of its middle, so that what is gone can be told from the oldest event that is there.
 */
export const preparePrune = (db: BunSQLiteDatabase, { oldest, newest }: EventQueries) => {
  const isOfWebhook = eq(deliveries.webhookId, sql.placeholder('webhookId'));
  const isUpTo = lte(deliveries.sequence, sql.placeholder('last'));
  const enabled = db
    .select({ webhookId: webhooks.id, position: webhooks.position })
    .from(webhooks)
    .where(isNull(webhooks.disabledAt))
    .prepare();
  const firstPending = db
    .select({ sequence: min(deliveries.sequence) })
    .from(deliveries)
    .where(and(isOfWebhook, isUpTo, isNotNull(deliveries.nextAttemptAt)))
    .prepare();
  /** Webhooks that have been deleted left their deliveries behind, so the ids come from here. */
  const nextWebhook = db
    .select({ webhookId: min(deliveries.webhookId) })
    .from(deliveries)
    .where(gt(deliveries.webhookId, sql.placeholder('after')))
    .prepare();
  const removeDeliveries = db.delete(deliveries).where(and(isOfWebhook, isUpTo)).prepare();
  const removeEvents = db
    .delete(events)
    .where(lte(events.sequence, sql.placeholder('last')))
    .prepare();

  return (before: string, limit: number): number => {
    const rows = oldest.all({ limit });
    const newestSequence = newest.get()?.sequence;
    const end = rows.findIndex(({ sequence, timestamp }) => timestamp >= before || sequence === newestSequence);
    const old = (end === -1 ? rows : rows.slice(0, end)).map(({ sequence }) => sequence);

    if (old.length === 0) return 0;
    const last = enabled.all().reduce((end, { webhookId, position }) => {
      const pending = firstPending.get({ webhookId, last: end })?.sequence ?? null;
      return lesser(lesser(end, position), pending === null ? end : pending - 1n);
    }, old.at(-1) ?? 0n);
    for (let after = ''; ; ) {
      const webhookId = nextWebhook.get({ after })?.webhookId ?? null;
      if (webhookId === null) break;
      removeDeliveries.run({ webhookId, last });
      after = webhookId;
    }
    removeEvents.run({ last });
    return old.filter((sequence) => sequence <= last).length;
  };
};

const lesser = (a: bigint, b: bigint): bigint => (a < b ? a : b);

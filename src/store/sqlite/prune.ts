import { and, eq, gt, isNotNull, isNull, lte, min } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { deliveries, events, webhooks } from '../../../db/sqlite.ts';
import { prunableSequences } from '../../domain/event.ts';
import type { Queries } from './queries.ts';

/** Implements `EventStore.prune` in a transaction. */
export const prune = (
  db: BunSQLiteDatabase,
  { events: { oldest, newest }, deliveries: { removeSettledTests } }: Queries,
  before: string,
  limit: number,
): number => {
  const removedTests = removeSettledTests(before, limit);
  const kept = newest.get()?.sequence;
  const rows = oldest.all({ limit: limit - removedTests });
  const upTo = rows.findLast(({ timestamp }) => timestamp < before)?.sequence;
  if (upTo === undefined) return removedTests;
  const { id, position, disabledAt } = webhooks;
  const enabled = db.select({ id, position }).from(webhooks).where(isNull(disabledAt)).all();
  const positions = enabled.map((webhook) => webhook.position);
  const pending = enabled.flatMap((webhook) => findFirstPending(db, webhook.id, upTo) ?? []);
  const removed = prunableSequences(rows, { since: before, newest: kept, positions, pending });
  const last = removed.at(-1);
  if (last !== undefined) removeUpTo(db, last);
  return removedTests + removed.length;
};

const findFirstPending = (db: BunSQLiteDatabase, webhookId: string, upTo: bigint): bigint | null | undefined =>
  db
    .select({ sequence: min(deliveries.sequence) })
    .from(deliveries)
    .where(and(isUpTo(webhookId, upTo), isNotNull(deliveries.nextAttemptAt)))
    .get()?.sequence;

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

/** The deliveries of events of the log: a test message is pruned by its own age. */
const isUpTo = (webhookId: string, last: bigint) =>
  and(eq(deliveries.webhookId, webhookId), lte(deliveries.sequence, last), eq(deliveries.number, 0n));

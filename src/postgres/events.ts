import { and, asc, eq, inArray, isNotNull, lt, lte, min, sql } from 'drizzle-orm';
import { deliveries, events, transactions } from '../../db/postgres.ts';
import { expectNothingMissing, parseEventId, plantEventTypes, prunableSequences } from '../events/event.ts';
import { isEveryType, toEvent, toLogPage } from '../events/row.ts';
import type { EventStore } from '../store/store.ts';
import { removeSettledTestMessages } from './delivery-queries.ts';
import { keyOfCursor, readHead, readNewest, readOldest, selectEvents } from './log.ts';
import type { Database } from './session/database.ts';
import { createLoader } from './session/loader.ts';
import type { Drizzle } from './session/sql.ts';
import { holdAllWebhooks } from './webhooks.ts';

export const createEventStore = ({ read, transact, advance }: Database): EventStore => ({
  list: ({ limit, after: cursor, type }) =>
    read(async ({ db }) => {
      const after = cursor === undefined ? undefined : (parseEventId(cursor)?.sequence ?? 0n);
      // The page is read before the beginning of the log: in the other order, events could be removed unnoticed between the two.
      const [rows, oldest, key] = await Promise.all([
        selectEvents(db, { after: after ?? 0n, limit, types: type === undefined ? plantEventTypes : [type] }),
        readOldest(db),
        cursor === undefined ? undefined : keyOfCursor(db, cursor),
      ]);
      if (key) expectNothingMissing(key, oldest);
      return rows.map(toEvent);
    }),
  read: (after, limit, types = plantEventTypes) =>
    read(async ({ db }) => {
      if (isEveryType(types)) {
        const rows = await selectEvents(db, { after, limit, types });
        return toLogPage({ rows, after, limit }, rows[0]?.sequence);
      }
      // In this order: all events up to the newest are among the rows, and no event can be removed unnoticed before the last query.
      const [newest, rows, oldest] = await Promise.all([
        readNewest(db),
        selectEvents(db, { after, limit, types }),
        readOldest(db),
      ]);
      return toLogPage({ rows, after, limit, newest }, oldest);
    }),
  head: createHeadReader({ read, advance }),
  prune: (before, limit) => transact(async ({ db }) => ({ result: await prune(db, before, limit) })),
});

/** Implements `EventStore.head`. Requests that wait for the same event share the queries. */
const createHeadReader = ({ read, advance }: Pick<Database, 'read' | 'advance'>) => {
  const find = createLoader(async (keys: readonly string[], endsAtMs) => {
    const head = await read(readHead, endsAtMs);
    advance(head);
    return new Map(keys.map((key) => [key, head]));
  });
  return async (): Promise<bigint> => (await find('head')) ?? 0n;
};

/** Implements `EventStore.prune` in a transaction. Requests and records wait meanwhile, since they lock a webhook first. */
export const prune = async (db: Drizzle, before: string, limit: number): Promise<number> => {
  await removeTransactions(db, before);
  const webhooks = await holdAllWebhooks(db);
  const removedTestMessages = await removeSettledTestMessages(db, before, limit);
  const [newest, rows] = await Promise.all([
    readNewest(db),
    db
      .select({ sequence: events.sequence, timestamp: events.timestamp })
      .from(events)
      .orderBy(asc(events.sequence))
      .limit(limit - removedTestMessages),
  ]);
  const upTo = rows.findLast(({ timestamp }) => timestamp < before)?.sequence;
  if (upTo === undefined) return removedTestMessages;
  const enabled = webhooks.filter(({ disabled }) => !disabled);
  const positions = enabled.map(({ position }) => position);
  const ids = enabled.map(({ id }) => id);
  const pending = await findFirstPending(db, ids, upTo);
  const removed = prunableSequences(rows, { since: before, newest: newest?.sequence, positions, pending });
  const last = removed.at(-1);
  if (last !== undefined) {
    await db.delete(deliveries).where(isUpTo(await findWebhookIds(db), last));
    await db.delete(events).where(lte(events.sequence, last));
  }
  return removedTestMessages + removed.length;
};

/** The first sequence up to this one with a pending delivery to one of these webhooks, if any. */
const findFirstPending = async (db: Drizzle, webhookIds: string[], upTo: bigint): Promise<bigint[]> => {
  const rows = await db
    .select({ sequence: min(deliveries.sequence) })
    .from(deliveries)
    .where(and(isUpTo(webhookIds, upTo), isNotNull(deliveries.nextAttemptAt)));
  return rows.flatMap(({ sequence }) => sequence ?? []);
};

/**
 * The webhooks that have deliveries, of which some have been deleted. Deliveries are found by their primary key, which begins with
 * the webhook: an index by event would cost every delivery.
 */
const findWebhookIds = async (db: Drizzle): Promise<string[]> => {
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
const removeTransactions = async (db: Drizzle, before: string): Promise<void> => {
  const longAgo = new Date(Date.now() - transactionKeptMsMin).toISOString();
  await db.delete(transactions).where(lt(transactions.createdAt, before < longAgo ? before : longAgo));
};

const transactionKeptMsMin = 60 * 60 * 1000;

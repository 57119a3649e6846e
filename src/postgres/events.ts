import { and, asc, eq, isNotNull, lt, lte, min, sql } from 'drizzle-orm';
import { int64Max } from '../base/int64.ts';
import { expectNothingMissing, parseEventId, plantEventTypes, sequenceAfter } from '../events/event.ts';
import { planPruning, takeOld } from '../events/pruning.ts';
import { isEveryType, toEvent, toLogPage } from '../events/row.ts';
import type { EventStore } from '../events/store.ts';
import { deliveries, events, transactions } from './db/tables.ts';
import { removeSettledTestMessages } from './delivery-queries.ts';
import { keyOfCursor, readHead, readNewest, readOldest, selectEvents } from './log.ts';
import { selectEventsBefore } from './log-backwards.ts';
import { toArray } from './session/array.ts';
import type { Database } from './session/database.ts';
import { createLoader } from './session/loader.ts';
import type { Session } from './session/session.ts';
import { builder, isAmong, prepare } from './session/statement.ts';
import { findWebhooksOfDeliveries } from './sql-statements.ts';
import { holdAllWebhooks } from './webhooks.ts';

export const createEventStore = ({ read, readList, transact, advance }: Database): EventStore => ({
  list: ({ limit, after: cursor, type, isNewestFirst = false }) =>
    readList(async (session) => {
      if (isNewestFirst) {
        const before = cursor === undefined ? int64Max : sequenceAfter(await keyOfCursor(session, cursor));
        return (await selectEventsBefore(session, { before, limit, type })).map(toEvent);
      }
      const after = cursor === undefined ? undefined : (parseEventId(cursor)?.sequence ?? 0n);
      // The page is read before the beginning of the log: in the other order, events could be removed unnoticed between the two.
      const [rows, oldest, key] = await Promise.all([
        selectEvents(session, { after: after ?? 0n, limit, types: type === undefined ? plantEventTypes : [type] }),
        readOldest(session),
        cursor === undefined ? undefined : keyOfCursor(session, cursor),
      ]);
      if (key) expectNothingMissing(key, oldest);
      return rows.map(toEvent);
    }),
  read: (after, limit, types = plantEventTypes) =>
    read(async (session) => {
      if (isEveryType(types)) {
        const rows = await selectEvents(session, { after, limit, types });
        return toLogPage({ rows, after, limit }, rows[0]?.sequence);
      }
      // In this order: all events up to the newest are among the rows, and no event can be removed unnoticed before the last query.
      const [newest, rows, oldest] = await Promise.all([
        readNewest(session),
        selectEvents(session, { after, limit, types }),
        readOldest(session),
      ]);
      return toLogPage({ rows, after, limit, newest }, oldest);
    }),
  head: createHeadReader({ read, advance }),
  prune: (before, limit) => transact(async (session) => ({ result: await prune(session, before, limit) })),
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
export const prune = async (session: Session, before: string, limit: number): Promise<number> => {
  await removeTransactions(session, before);
  const webhooks = await holdAllWebhooks(session);
  const removedTestMessages = await removeSettledTestMessages(session, before, limit);
  const [newest, rows] = await Promise.all([
    readNewest(session),
    oldestTimes(session, { limit: limit - removedTestMessages }),
  ]);
  const old = takeOld(rows, before);
  const upTo = old.at(-1)?.sequence;
  if (upTo === undefined) return removedTestMessages;
  const enabled = webhooks.filter(({ disabled }) => !disabled);
  const ids = enabled.map(({ id }) => id);
  const pending = await firstPending(session, { webhookIds: toArray(ids), last: upTo });
  const { last, count } = planPruning(old, {
    newest: newest?.sequence,
    positions: enabled.map(({ position }) => position),
    pending: pending.flatMap(({ sequence }) => sequence ?? []),
  });
  if (last !== undefined) {
    const webhookIds = toArray((await findWebhooksOfDeliveries(session)).map(({ id }) => id));
    await removeDeliveries(session, { webhookIds, last });
    await removeEvents(session, { last });
  }
  return removedTestMessages + count;
};

const oldestTimes = prepare<{ limit: number }>()(
  builder
    .select({ sequence: events.sequence, timestamp: events.timestamp })
    .from(events)
    .orderBy(asc(events.sequence))
    .limit(sql.placeholder('limit')),
);

/** The deliveries of events of the log: a test message is pruned by its own age. */
const isUpTo = and(
  isAmong(deliveries.webhookId, 'webhookIds'),
  lte(deliveries.sequence, sql.placeholder('last')),
  eq(deliveries.number, 0n),
);
const removeDeliveries = prepare<{ webhookIds: string; last: bigint }>()(builder.delete(deliveries).where(isUpTo));
const removeEvents = prepare<{ last: bigint }>()(
  builder.delete(events).where(lte(events.sequence, sql.placeholder('last'))),
);

/** The first sequence with a pending delivery to one of these webhooks, if any. */
const firstPending = prepare<{ webhookIds: string; last: bigint }>()(
  builder
    .select({ sequence: min(deliveries.sequence) })
    .from(deliveries)
    .where(and(isUpTo, isNotNull(deliveries.nextAttemptAt))),
);

/** Removes the rows of processes that have ended. Any other process needs its newest transaction's row for a few seconds. */
const removeTransactions = async (session: Session, before: string): Promise<void> => {
  const longAgo = new Date(Date.now() - transactionKeptMsMin).toISOString();
  await removeOlder(session, { before: before < longAgo ? before : longAgo });
};

const removeOlder = prepare<{ before: string }>()(
  builder.delete(transactions).where(lt(transactions.createdAt, sql.placeholder('before'))),
);

const transactionKeptMsMin = 60 * 60 * 1000;

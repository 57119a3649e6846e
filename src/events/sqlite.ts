import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lt, lte, min, type SQL, sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '../../db/sqlite.ts';
import { int64Max } from '../base/int64.ts';
import { lazy } from '../base/lazy.ts';
import type { NewPlant, PlantEvent } from '../plants/plant.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { manyRows } from '../sqlite/many-rows.ts';
import { drizzle, withValues } from '../sqlite/session.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { placeholdersOf } from '../storage/columns.ts';
import type { Sequenced } from './event.ts';
import {
  type EventKey,
  expectKey,
  expectNothingMissing,
  type PlantEventType,
  plantEventTypes,
  sequenceAfter,
} from './event.ts';
import { planPruning, takeOld } from './pruning.ts';
import { type EventRow, isEveryType, toEvent, toEventRow, toLogPage } from './row.ts';
import type { EventStore } from './store.ts';

export const createEventStore = ({ client, read, transact }: Transactions, queries: LogQueries): EventStore => {
  const { page, pageOfType, pageBefore, pageOfTypeBefore, firstSequence, lastSequence, newest } = queries.events;
  const prune = preparePruning(client, queries);

  return {
    list: ({ limit, after: cursor, type, isNewestFirst = false }) =>
      read(() => {
        if (isNewestFirst) {
          const before = cursor === undefined ? int64Max : sequenceAfter(keyOfCursor(queries, cursor));
          const rows =
            type === undefined ? pageBefore().all({ before, limit }) : pageOfTypeBefore().all({ type, before, limit });
          return rows.map(toEvent);
        }
        const after = cursor === undefined ? 0n : expectNothingMissing(keyOfCursor(queries, cursor), firstSequence());
        const rows = type === undefined ? page().all({ after, limit }) : pageOfType().all({ type, after, limit });
        return rows.map(toEvent);
      }),
    read: (after, limit, types = plantEventTypes) =>
      read(() => {
        if (isEveryType(types)) {
          const rows = page().all({ after, limit });
          return toLogPage({ rows, after, limit }, rows[0]?.sequence);
        }
        const rows = firstOfTypes(types, limit, (type) => pageOfType().all({ type, after, limit }));
        return toLogPage({ rows, after, limit, newest: newest().get() }, firstSequence());
      }),
    head: () => read(lastSequence),
    prune: (before, limit) => transact(() => prune(before, limit)),
  };
};

/** The first rows of these types, at most `limit`. `find` returns the first rows of one type, at least as many if they exist. */
export const firstOfTypes = <Row extends EventRow>(
  types: readonly PlantEventType[],
  limit: number,
  find: (type: PlantEventType) => Row[],
): Row[] =>
  types
    .flatMap(find)
    .sort((a, b) => (a.sequence < b.sequence ? -1 : 1))
    .slice(0, limit);

/** The key of the event or the test message with this id. Throws AppError `invalid_cursor`. */
export const keyOfCursor = ({ events, deliveries }: LogQueries, cursor: string): EventKey =>
  expectKey(cursor, (key) => {
    if (key.number === 0n) return lookUpEvent(events, key);
    const { existing, isGone } = deliveries.lookUpTestMessage(key.number);
    return { existing, isGone: isGone && key.sequence <= events.lastSequence() };
  });

const lookUpEvent = ({ firstSequence, bySequence }: EventQueries, { sequence }: EventKey) => {
  const row = bySequence().get({ sequence });
  return { existing: row && toEvent(row), isGone: sequence < (firstSequence() ?? 0n) };
};

interface TestMessages {
  lookUpTestMessage(number: bigint): { readonly existing: Sequenced | undefined; readonly isGone: boolean };
  removeSettledTestMessages(before: string, limit: number): number;
}

/** The statements on events, and on the test messages that come after some. */
export interface LogQueries {
  readonly events: EventQueries;
  readonly deliveries: TestMessages;
}

export type EventQueries = ReturnType<typeof prepareEventQueries>;

/** Statements on events, each prepared once for a client. */
export const prepareEventQueries = (client: SqliteClient) => {
  const db = drizzle(client);
  const isAfter = gt(events.sequence, sql.placeholder('after'));
  const isBefore = lt(events.sequence, sql.placeholder('before'));
  const isType = eq(events.type, sql.placeholder('type'));
  const limit = sql.placeholder('limit');
  const { sequence, ...others } = getTableColumns(events);
  const created = manyRows(events, {
    sequence: sql`NULL`,
    type: sql`'plant.created'`,
    timestamp: sql`${sql.placeholder('timestamp')}`,
    traceparent: sql`NULL`,
    picture: sql`NULL`,
  });
  const append = withValues<Omit<EventRow, 'sequence'>>()(() =>
    db
      .insert(events)
      .values({ sequence: sql`NULL`, ...placeholdersOf(others) })
      .prepare(),
  );
  const appendMany = withValues<{ rows: string; timestamp: string }>()(() =>
    db.insert(events).select(created.select).prepare(),
  );
  const select = <Values extends object>(condition: SQL | undefined, order: SQL) =>
    withValues<Values & { limit: number }>()(() =>
      db.select().from(events).where(condition).orderBy(order).limit(limit).prepare(),
    );
  const oldest = select(undefined, asc(sequence));
  const newest = lazy(() => db.select().from(events).orderBy(desc(sequence)).limit(1).prepare());
  return {
    /** SQLite gives it one more than the largest sequence. */
    append: (event: PlantEvent, traceparent?: string): void => void append().run(toEventRow(event, traceparent)),
    /** Appends the creation of each plant, in order. */
    appendCreated: (plants: readonly NewPlant[], now: Date): void =>
      void appendMany().run({
        rows: created.encode(plants.map((plant) => ({ ...plant, plantId: plant.id }))),
        timestamp: now.toISOString(),
      }),
    bySequence: withValues<{ sequence: bigint }>()(() =>
      db
        .select()
        .from(events)
        .where(eq(sequence, sql.placeholder('sequence')))
        .prepare(),
    ),
    page: select<{ after: bigint }>(isAfter, asc(sequence)),
    pageOfType: select<{ type: string; after: bigint }>(and(isType, isAfter), asc(sequence)),
    pageBefore: select<{ before: bigint }>(isBefore, desc(sequence)),
    pageOfTypeBefore: select<{ type: string; before: bigint }>(and(isType, isBefore), desc(sequence)),
    oldest,
    newest,
    firstSequence: (): bigint | undefined => oldest().get({ limit: 1 })?.sequence,
    /** Returns 0 before the first event. */
    lastSequence: (): bigint => newest().get()?.sequence ?? 0n,
  };
};

/** Implements `EventStore.prune` in a transaction. */
export const preparePruning = (
  client: SqliteClient,
  { events: { oldest, newest }, deliveries: { removeSettledTestMessages } }: LogQueries,
) => {
  const { enabled, firstPending, nextWebhook, removeDeliveries, removeEvents } = preparePruneQueries(client);

  /**
   * Deliveries are removed webhook by webhook, by their primary key: an index by event would cost every delivery. The ids are
   * those of the deliveries, since some webhooks have been deleted.
   */
  const removeUpTo = (last: bigint): void => {
    const nextId = (after: string) => nextWebhook().get({ after })?.id;
    for (let id = nextId(''); id; id = nextId(id)) removeDeliveries().run({ id, last });
    removeEvents().run({ last });
  };

  return (before: string, limit: number): number => {
    const removedTestMessages = removeSettledTestMessages(before, limit);
    const old = takeOld(oldest().all({ limit: limit - removedTestMessages }), before);
    const upTo = old.at(-1)?.sequence;
    if (upTo === undefined) return removedTestMessages;
    const targets = enabled().all();
    const { last, count } = planPruning(old, {
      newest: newest().get()?.sequence,
      positions: targets.map(({ position }) => position),
      pending: targets.flatMap(({ id }) => firstPending().get({ id, last: upTo })?.sequence ?? []),
    });
    if (last !== undefined) removeUpTo(last);
    return removedTestMessages + count;
  };
};

const preparePruneQueries = (client: SqliteClient) => {
  const db = drizzle(client);
  const { webhookId, sequence, number, nextAttemptAt } = deliveries;
  const { id, position, disabledAt } = webhooks;
  const last = sql.placeholder('last');
  // The deliveries of events of the log: a test message is pruned by its own age.
  const isUpTo = and(eq(webhookId, sql.placeholder('id')), lte(sequence, last), eq(number, 0n));
  return {
    enabled: lazy(() => db.select({ id, position }).from(webhooks).where(isNull(disabledAt)).prepare()),
    firstPending: withValues<{ id: string; last: bigint }>()(() =>
      db
        .select({ sequence: min(sequence) })
        .from(deliveries)
        .where(and(isUpTo, isNotNull(nextAttemptAt)))
        .prepare(),
    ),
    /** The first id of a webhook with deliveries after another id. */
    nextWebhook: withValues<{ after: string }>()(() =>
      db
        .select({ id: min(webhookId) })
        .from(deliveries)
        .where(gt(webhookId, sql.placeholder('after')))
        .prepare(),
    ),
    removeDeliveries: withValues<{ id: string; last: bigint }>()(() => db.delete(deliveries).where(isUpTo).prepare()),
    removeEvents: withValues<{ last: bigint }>()(() => db.delete(events).where(lte(events.sequence, last)).prepare()),
  };
};

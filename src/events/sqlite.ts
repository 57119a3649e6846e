import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, min, sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '../../db/sqlite.ts';
import type { NewPlant, PlantEvent } from '../plants/plant.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { builder, manyRows, preparerOf } from '../sqlite/statement.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { fieldsOf, placeholdersOf } from '../storage/columns.ts';
import type { Sequenced } from './event.ts';
import {
  type EventKey,
  expectKey,
  expectNothingMissing,
  type PlantEventType,
  plantEventTypes,
  prunableSequences,
} from './event.ts';
import { type EventRow, isEveryType, toEvent, toEventRow, toLogPage } from './row.ts';
import type { EventStore } from './store.ts';

export const createEventStore = ({ client, read, commit }: Transactions, queries: LogQueries): EventStore => {
  const { page, pageOfType, firstSequence, lastSequence, newest } = queries.events;
  const prune = preparePruning(client, queries);

  return {
    list: ({ limit, after: cursor, type }) =>
      read(() => {
        const after = cursor === undefined ? 0n : expectNothingMissing(keyOfCursor(queries, cursor), firstSequence());
        const rows = type === undefined ? page.all({ after, limit }) : pageOfType.all({ type, after, limit });
        return rows.map(toEvent);
      }),
    read: (after, limit, types = plantEventTypes) =>
      read(() => {
        if (isEveryType(types)) {
          const rows = page.all({ after, limit });
          return toLogPage({ rows, after, limit }, rows[0]?.sequence);
        }
        const rows = firstOfTypes(types, limit, (type) => pageOfType.all({ type, after, limit }));
        return toLogPage({ rows, after, limit, newest: newest.all()[0] }, firstSequence());
      }),
    head: () => read(lastSequence),
    prune: (before, limit) => commit(() => prune(before, limit)),
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
  const [row] = bySequence.all({ sequence });
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
  const prepare = preparerOf(client);
  const isAfter = gt(events.sequence, sql.placeholder('after'));
  const isType = eq(events.type, sql.placeholder('type'));
  const limit = sql.placeholder('limit');
  const columns = getTableColumns(events);
  const select = () => builder.select(fieldsOf(columns)).from(events);
  const created = manyRows(events, {
    sequence: sql`NULL`,
    type: sql`'plant.created'`,
    timestamp: sql`${sql.placeholder('timestamp')}`,
    traceparent: sql`NULL`,
  });
  const { sequence, ...others } = columns;
  const append = prepare<ReturnType<typeof toEventRow>>(() =>
    builder.insert(events).values({ sequence: sql`NULL`, ...placeholdersOf(others) }),
  );
  const appendMany = prepare<{ rows: string; timestamp: string }>(() => builder.insert(events).select(created.select));
  const oldest = prepare<{ limit: number }, EventRow>(() => select().orderBy(asc(sequence)).limit(limit));
  const newest = prepare<void, EventRow>(() => select().orderBy(desc(sequence)).limit(1));
  return {
    /** SQLite gives it one more than the largest sequence. */
    append: (event: PlantEvent, traceparent?: string): void => void append.run(toEventRow(event, traceparent)),
    /** Appends the creation of each plant, in order. */
    appendCreated: (plants: readonly NewPlant[], now: Date): void =>
      void appendMany.run({
        rows: created.encode(plants.map((plant) => ({ ...plant, plantId: plant.id }))),
        timestamp: now.toISOString(),
      }),
    bySequence: prepare<{ sequence: bigint }, EventRow>(() =>
      select().where(eq(sequence, sql.placeholder('sequence'))),
    ),
    page: prepare<{ after: bigint; limit: number }, EventRow>(() =>
      select().where(isAfter).orderBy(asc(sequence)).limit(limit),
    ),
    pageOfType: prepare<{ type: string; after: bigint; limit: number }, EventRow>(() =>
      select().where(and(isType, isAfter)).orderBy(asc(sequence)).limit(limit),
    ),
    oldest,
    newest,
    firstSequence: (): bigint | undefined => oldest.all({ limit: 1 })[0]?.sequence,
    /** Returns 0 before the first event. */
    lastSequence: (): bigint => newest.all()[0]?.sequence ?? 0n,
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
    const nextId = (after: string) => nextWebhook.all({ after })[0]?.id;
    for (let id = nextId(''); id; id = nextId(id)) removeDeliveries.run({ id, last });
    removeEvents.run({ last });
  };

  return (before: string, limit: number): number => {
    const removedTestMessages = removeSettledTestMessages(before, limit);
    const kept = newest.all()[0]?.sequence;
    const rows = oldest.all({ limit: limit - removedTestMessages });
    const upTo = rows.findLast(({ timestamp }) => timestamp < before)?.sequence;
    if (upTo === undefined) return removedTestMessages;
    const targets = enabled.all();
    const positions = targets.map((webhook) => webhook.position);
    const pending = targets.flatMap(({ id }) => firstPending.all({ id, last: upTo })[0]?.sequence ?? []);
    const removed = prunableSequences(rows, { since: before, newest: kept, positions, pending });
    const last = removed.at(-1);
    if (last !== undefined) removeUpTo(last);
    return removedTestMessages + removed.length;
  };
};

const preparePruneQueries = (client: SqliteClient) => {
  const prepare = preparerOf(client);
  const { webhookId, sequence, number, nextAttemptAt } = deliveries;
  const { id, position, disabledAt } = webhooks;
  const last = sql.placeholder('last');
  // The deliveries of events of the log: a test message is pruned by its own age.
  const isUpTo = and(eq(webhookId, sql.placeholder('id')), lte(sequence, last), eq(number, 0n));
  return {
    enabled: prepare<void, { id: string; position: bigint }>(() =>
      builder.select(fieldsOf({ id, position })).from(webhooks).where(isNull(disabledAt)),
    ),
    firstPending: prepare<{ id: string; last: bigint }, { sequence: bigint | null }>(() =>
      builder
        .select({ sequence: min(sequence).as('sequence') })
        .from(deliveries)
        .where(and(isUpTo, isNotNull(nextAttemptAt))),
    ),
    /** The first id of a webhook with deliveries after another id. */
    nextWebhook: prepare<{ after: string }, { id: string | null }>(() =>
      builder
        .select({ id: min(webhookId).as('id') })
        .from(deliveries)
        .where(gt(webhookId, sql.placeholder('after'))),
    ),
    removeDeliveries: prepare<{ id: string; last: bigint }>(() => builder.delete(deliveries).where(isUpTo)),
    removeEvents: prepare<{ last: bigint }>(() => builder.delete(events).where(lte(events.sequence, last))),
  };
};

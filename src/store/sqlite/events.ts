import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, min, sql } from 'drizzle-orm';
import { deliveries, events, webhooks } from '../../../db/sqlite.ts';
import {
  type EventKey,
  expectKey,
  expectNothingMissing,
  type PlantEvent,
  type PlantEventType,
  plantEventTypes,
  prunableSequences,
} from '../../domain/event.ts';
import type { NewPlant } from '../../domain/plant.ts';
import { type EventRow, isEveryType, toEvent, toEventRow, toLogPage } from '../rows/event.ts';
import type { EventStore } from '../store.ts';
import type { Connection } from './connection.ts';
import type { DeliveryQueries } from './delivery-queries.ts';
import { type DrizzleClient, fieldsOf, manyRows, placeholdersOf, prepareDirect } from './statement.ts';

export const createEventStore = ({ db, read, commit }: Connection, queries: LogQueries): EventStore => {
  const { page, pageOfType, firstSequence, lastSequence, newest } = queries.events;

  const sequenceOfCursor = (cursor: string): bigint =>
    expectNothingMissing(keyOfCursor(queries, cursor), firstSequence());

  return {
    list: ({ limit, after: cursor, type }) =>
      read(() => {
        const after = cursor === undefined ? 0n : sequenceOfCursor(cursor);
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
        return toLogPage({ rows, after, limit, newest: newest.get() }, firstSequence());
      }),
    head: () => read(lastSequence),
    prune: (before, limit) => commit(() => prune(db, queries, before, limit)),
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
  expectKey(cursor, (key) => (key.number === 0n ? lookUpEvent(events, key) : deliveries.lookUpTestMessage(key.number)));

const lookUpEvent = ({ firstSequence, bySequence }: EventQueries, { sequence }: EventKey) => {
  const row = bySequence.get({ sequence });
  return { present: row && toEvent(row), isGone: sequence < (firstSequence() ?? 0n) };
};

/** The statements on events, and on the test messages that come after some. */
export interface LogQueries {
  readonly events: EventQueries;
  readonly deliveries: DeliveryQueries;
}

export type EventQueries = ReturnType<typeof prepareEventQueries>;

/** Statements on events, each prepared once for a client. */
export const prepareEventQueries = (db: DrizzleClient) => {
  const isAfter = gt(events.sequence, sql.placeholder('after'));
  const isType = eq(events.type, sql.placeholder('type'));
  const limit = sql.placeholder('limit');
  const select = () => db.select().from(events);
  const created = manyRows(events, {
    sequence: sql`NULL`,
    type: sql`'plant.created'`,
    timestamp: sql`${sql.placeholder('timestamp')}`,
    traceparent: sql`NULL`,
  });
  const fields = fieldsOf(getTableColumns(events));
  const { sequence, ...others } = getTableColumns(events);
  const append = prepareDirect<ReturnType<typeof toEventRow>>(
    db,
    db.insert(events).values({ sequence: sql`NULL`, ...placeholdersOf(others) }),
  );
  const appendMany = db.insert(events).select(created.select).prepare();
  const oldest = select().orderBy(asc(events.sequence)).limit(limit).prepare();
  const newest = select().orderBy(desc(events.sequence)).limit(1).prepare();
  return {
    /** SQLite gives it one more than the largest sequence. */
    append: (event: PlantEvent, traceparent?: string): void => void append.run(toEventRow(event, traceparent)),
    /** Appends the creation of each plant, in order. */
    appendCreated: (plants: readonly NewPlant[], now: Date): void =>
      appendMany.run({
        rows: created.encode(plants.map((plant) => ({ ...plant, plantId: plant.id }))),
        timestamp: now.toISOString(),
      }),
    bySequence: select()
      .where(eq(events.sequence, sql.placeholder('sequence')))
      .prepare(),
    page: prepareDirect<{ after: bigint; limit: number }, EventRow>(
      db,
      db.select(fields).from(events).where(isAfter).orderBy(asc(events.sequence)).limit(limit),
    ),
    pageOfType: prepareDirect<{ type: string; after: bigint; limit: number }, EventRow>(
      db,
      db.select(fields).from(events).where(and(isType, isAfter)).orderBy(asc(events.sequence)).limit(limit),
    ),
    oldest,
    newest,
    firstSequence: (): bigint | undefined => oldest.get({ limit: 1 })?.sequence,
    /** Returns 0 before the first event. */
    lastSequence: (): bigint => newest.get()?.sequence ?? 0n,
  };
};

/** Implements `EventStore.prune` in a transaction. */
export const prune = (
  db: DrizzleClient,
  { events: { oldest, newest }, deliveries: { removeSettledTestMessages } }: LogQueries,
  before: string,
  limit: number,
): number => {
  const removedTestMessages = removeSettledTestMessages(before, limit);
  const kept = newest.get()?.sequence;
  const rows = oldest.all({ limit: limit - removedTestMessages });
  const upTo = rows.findLast(({ timestamp }) => timestamp < before)?.sequence;
  if (upTo === undefined) return removedTestMessages;
  const { id, position, disabledAt } = webhooks;
  const enabled = db.select({ id, position }).from(webhooks).where(isNull(disabledAt)).all();
  const positions = enabled.map((webhook) => webhook.position);
  const pending = enabled.flatMap((webhook) => findFirstPending(db, webhook.id, upTo) ?? []);
  const removed = prunableSequences(rows, { since: before, newest: kept, positions, pending });
  const last = removed.at(-1);
  if (last !== undefined) removeUpTo(db, last);
  return removedTestMessages + removed.length;
};

const findFirstPending = (db: DrizzleClient, webhookId: string, upTo: bigint): bigint | null | undefined =>
  db
    .select({ sequence: min(deliveries.sequence) })
    .from(deliveries)
    .where(and(isUpTo(webhookId, upTo), isNotNull(deliveries.nextAttemptAt)))
    .get()?.sequence;

/**
 * Deliveries are removed webhook by webhook, by their primary key: an index by event would cost every delivery. The ids are
 * those of the deliveries, since some webhooks have been deleted.
 */
const removeUpTo = (db: DrizzleClient, last: bigint): void => {
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

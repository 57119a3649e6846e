import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  inArray,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  min,
  type SQL,
  sql,
} from 'drizzle-orm';
import { deliveries, events } from '../../db/sqlite.ts';
import { lazy } from '../base/lazy.ts';
import type { EventKey } from '../events/event.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { drizzle, withValues } from '../sqlite/session.ts';
import { placeholdersOf } from '../storage/columns.ts';
import { type Delivery, type DeliveryState, testMessagesPendingMax } from './delivery.ts';
import type { DeliveryPlace } from './place.ts';
import { type DeliveryRow, toDelivery, toDeliveryRow, toTestMessage } from './row.ts';
import type { DueRange } from './store.ts';

export type DeliveryQueries = ReturnType<typeof prepareDeliveryQueries>;

/** Statements on deliveries, each prepared once for a client. */
export const prepareDeliveryQueries = (client: SqliteClient) => {
  const db = drizzle(client);
  const isOfWebhook = eq(webhookId, sql.placeholder('webhookId'));
  const isOfLog = eq(number, 0n);
  const limit = sql.placeholder('limit');
  const key = sql`(${sql.placeholder('sequence')}, ${sql.placeholder('number')})`;

  const selectAny = <Values extends object>(condition: SQL | undefined, ...order: SQL[]) =>
    withValues<Values & { webhookId: string; limit: number }>()(() =>
      db
        .select({ ...eventColumns, ...columns, eventTimestamp: sql<string | null>`${events.timestamp}` })
        .from(deliveries)
        .leftJoin(events, and(isOfLog, eq(events.sequence, sequence)))
        .where(condition)
        .orderBy(...order)
        .limit(limit)
        .prepare(),
    );
  const select = <Values extends object>(condition: SQL | undefined, ...order: SQL[]) =>
    selectAny<Values>(and(isOfWebhook, condition), ...order);
  /** Selects from the log. `triedBy` is null when the webhook has no delivery of the event. */
  const selectLog = <Values extends object>(condition?: SQL) =>
    withValues<Values & LogRange>()(() =>
      db
        .select({ ...eventColumns, triedBy: webhookId })
        .from(events)
        .leftJoin(deliveries, and(isOfWebhook, eq(sequence, events.sequence), isOfLog))
        .where(and(condition, gt(events.sequence, sql.placeholder('after'))))
        .orderBy(asc(events.sequence))
        .limit(limit)
        .prepare(),
    );

  const byKey = select<EventKey>(sql`(${sequence}, ${number}) = ${key}`);
  const request = withValues<EventKey & { webhookId: string }>()(() =>
    db
      .select({ requestedAt })
      .from(deliveries)
      .where(and(isOfWebhook, sql`(${sequence}, ${number}) = ${key}`))
      .prepare(),
  );
  const anyRequest = withValues<{ webhookId: string }>()(() =>
    db
      .select({ number })
      .from(deliveries)
      .where(and(isOfWebhook, isNotNull(requestedAt)))
      .limit(1)
      .prepare(),
  );
  const page = select<EventKey>(sql`(${sequence}, ${number}) < ${key}`, desc(sequence), desc(number));
  const isInState = eq(state, sql.placeholder('state'));
  const place = sql`(${sql.placeholder('sequence')}, ${sql.placeholder('number')}, ${sql.placeholder('webhookId')})`;
  const pageOfState = selectAny<EventKey & InState>(
    sql`${isInState} AND (${sequence}, ${number}, ${webhookId}) < ${place}`,
    desc(sequence),
    desc(number),
    desc(webhookId),
  );
  const ofState = () => db.select({ number }).from(deliveries).where(isInState).limit(limit);
  const countOfState = withValues<InState & { limit: number }>()(() =>
    db.select({ total: sql<bigint>`count(*)` }).from(ofState().as('counted')).prepare(),
  );
  const requested = select(isNotNull(requestedAt), asc(requestedAt));
  const isScheduled = isNull(requestedAt);
  const scheduled = select<{ now: string }>(
    and(isScheduled, lte(nextAttemptAt, sql.placeholder('now'))),
    asc(nextAttemptAt),
  );
  const scheduledAfter = select<{ latest: string }>(
    and(isScheduled, gt(nextAttemptAt, sql.placeholder('latest'))),
    asc(nextAttemptAt),
  );
  const nextDue = withValues<{ webhookId: string }>()(() =>
    db
      .select({ at: min(nextAttemptAt) })
      .from(deliveries)
      .where(and(isOfWebhook, isScheduled, isNotNull(nextAttemptAt)))
      .prepare(),
  );
  const put = withValues<DeliveryRow>()(() =>
    db
      .insert(deliveries)
      .values(placeholdersOf(columns))
      .onConflictDoUpdate({ target: [webhookId, sequence, number], set: placeholdersOf(changeable) })
      .prepare(),
  );

  const isTest = isNotNull(timestamp);
  const isPendingTest = and(isOfWebhook, isTest, isNotNull(nextAttemptAt));
  const newestTest = lazy(() =>
    db
      .select({ number: max(number) })
      .from(deliveries)
      .where(isTest)
      .prepare(),
  );
  const newestTestMessage = (): bigint => newestTest().get()?.number ?? 0n;
  const testByNumber = withValues<{ number: bigint }>()(() =>
    db
      .select()
      .from(deliveries)
      .where(and(isTest, eq(number, sql.placeholder('number'))))
      .prepare(),
  );
  const pendingTests = withValues<{ webhookId: string; limit: number }>()(() =>
    db.select({ number }).from(deliveries).where(isPendingTest).limit(limit).prepare(),
  );
  const removePendingTests = withValues<{ webhookId: string }>()(() =>
    db.delete(deliveries).where(isPendingTest).prepare(),
  );
  const settled = () =>
    db
      .select({ rowid: sql`rowid` })
      .from(deliveries)
      .where(and(isNull(nextAttemptAt), lt(timestamp, sql.placeholder('before'))))
      .orderBy(timestamp)
      .limit(limit);
  const removeSettledTests = withValues<{ before: string; limit: number }>()(() =>
    db.delete(deliveries).where(inArray(sql`rowid`, settled())).prepare(),
  );

  return {
    log: selectLog(),
    logOfType: selectLog<{ type: string }>(eq(events.type, sql.placeholder('type'))),
    find: (webhookId: string, key: EventKey): Delivery | undefined =>
      byKey()
        .all({ webhookId, ...key, limit: 1 })
        .map(toDelivery)[0],
    /** The request for a delivery, which `find` returns too, at a quarter of the cost. Undefined if there is no such delivery. */
    findRequest: (webhookId: string, { sequence, number }: EventKey) => request().get({ webhookId, sequence, number }),
    /** Whether a delivery to the webhook is requested, and not attempted since. */
    hasRequests: (webhookId: string): boolean => anyRequest().all({ webhookId }).length > 0,
    /** Lists at most `limit` deliveries before the key, newest first. */
    page: (webhookId: string, before: EventKey, limit: number): Delivery[] =>
      page()
        .all({ webhookId, ...before, limit })
        .map(toDelivery),
    /** Lists at most `limit` deliveries in the state, to all webhooks, before the place, newest first. */
    pageOfState: (state: DeliveryState, before: DeliveryPlace, limit: number): Delivery[] =>
      pageOfState()
        .all({ state, ...before, limit })
        .map(toDelivery),
    /** Counts to `limit` at most. */
    countOfState: (state: DeliveryState, limit: number): number => Number(countOfState().get({ state, limit })?.total),
    /** Lists due deliveries: the requested ones, then those scheduled, then those that a clock ahead has scheduled too late. */
    due: (webhookId: string, range: DueRange): Delivery[] => {
      const values = { webhookId, ...range };
      const rows = [...requested().all(values), ...scheduled().all(values)];
      if (rows.length < range.limit) rows.push(...scheduledAfter().all(values));
      return rows.slice(0, range.limit).map(toDelivery);
    },
    /** The earliest time at which a delivery is scheduled. */
    nextDue: (webhookId: string): string | undefined => nextDue().get({ webhookId })?.at ?? undefined,
    put: (delivery: Delivery): void => void put().run(toDeliveryRow(delivery)),

    /** The number of the newest test message, or 0. */
    newestTestMessage,
    /** Finds the test message with this number, and whether it may have been pruned: they are pruned by their age, not in order. */
    lookUpTestMessage: (sought: bigint) => {
      const row = testByNumber().get({ number: sought });
      return { existing: row && toTestMessage(row), isGone: sought <= (newestTestMessage() || sought) };
    },
    /** Counts to `testMessagesPendingMax` at most. */
    countPendingTestMessages: (webhookId: string): number =>
      pendingTests().all({ webhookId, limit: testMessagesPendingMax }).length,
    removePendingTestMessages: (webhookId: string): void => void removePendingTests().run({ webhookId }),
    /** Removes the oldest settled test messages from before this time, at most `limit`. Returns their number. */
    removeSettledTestMessages: (before: string, limit: number): number =>
      removeSettledTests().run({ before, limit }).changes,
  };
};

const columns = getTableColumns(deliveries);
const { webhookId, sequence, number, timestamp, nextAttemptAt, requestedAt, state } = columns;
const { webhookId: _, sequence: __, number: ___, ...changeable } = columns;
const eventColumns = getTableColumns(events);

interface InState {
  readonly state: DeliveryState;
}

interface LogRange {
  readonly webhookId: string;
  readonly after: bigint;
  readonly limit: number;
}

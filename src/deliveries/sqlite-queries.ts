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
  type SQL,
  sql,
} from 'drizzle-orm';
import { deliveries, deliveryState, events } from '../../db/sqlite.ts';
import type { EventKey } from '../events/event.ts';
import type { EventRow } from '../events/row.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { builder, preparerOf } from '../sqlite/statement.ts';
import { fieldsOf, placeholdersOf } from '../storage/columns.ts';
import { type Delivery, type DeliveryState, testMessagesPendingMax } from './delivery.ts';
import type { DeliveryPlace } from './place.ts';
import { type DeliveryRow, type JoinedRow, toDelivery, toDeliveryRow, toTestMessage } from './row.ts';
import type { DueRange } from './store.ts';

export type DeliveryQueries = ReturnType<typeof prepareDeliveryQueries>;

/** Statements on deliveries, each prepared once for a client. */
export const prepareDeliveryQueries = (client: SqliteClient) => {
  const prepare = preparerOf(client);
  const isOfWebhook = eq(webhookId, sql.placeholder('webhookId'));
  const isOfLog = eq(number, 0n);
  const limit = sql.placeholder('limit');
  const key = sql`(${sql.placeholder('sequence')}, ${sql.placeholder('number')})`;

  const selectAny = <Values extends object>(condition: SQL | undefined, ...order: SQL[]) =>
    prepare<Values & { webhookId: string; limit: number }, JoinedRow>(() =>
      builder
        .select({
          ...fieldsOf({ ...eventColumns, ...columns }),
          eventTimestamp: sql<string | null>`${events.timestamp}`.as('eventTimestamp'),
        })
        .from(deliveries)
        .leftJoin(events, and(isOfLog, eq(events.sequence, sequence)))
        .where(condition)
        .orderBy(...order)
        .limit(limit),
    );
  const select = <Values extends object>(condition: SQL | undefined, ...order: SQL[]) =>
    selectAny<Values>(and(isOfWebhook, condition), ...order);
  /** Selects from the log. `triedBy` is null when the webhook has no delivery of the event. */
  const selectLog = <Values extends object>(condition?: SQL) =>
    prepare<Values & LogRange, EventRow & { triedBy: string | null }>(() =>
      builder
        .select({ ...fieldsOf(getTableColumns(events)), triedBy: sql<string | null>`${webhookId}`.as('triedBy') })
        .from(events)
        .leftJoin(deliveries, and(isOfWebhook, eq(sequence, events.sequence), isOfLog))
        .where(and(condition, gt(events.sequence, sql.placeholder('after'))))
        .orderBy(asc(events.sequence))
        .limit(limit),
    );

  const byKey = select<EventKey>(sql`(${sequence}, ${number}) = ${key}`);
  const request = prepare<EventKey & { webhookId: string }, { requestedAt: string | null }>(() =>
    builder
      .select(fieldsOf({ requestedAt }))
      .from(deliveries)
      .where(and(isOfWebhook, sql`(${sequence}, ${number}) = ${key}`)),
  );
  const anyRequest = prepare<{ webhookId: string }, { number: bigint }>(() =>
    builder
      .select(fieldsOf({ number }))
      .from(deliveries)
      .where(and(isOfWebhook, isNotNull(requestedAt)))
      .limit(1),
  );
  const page = select<EventKey>(sql`(${sequence}, ${number}) < ${key}`, desc(sequence), desc(number));
  const isInState = sql`${deliveryState} = ${sql.placeholder('state')}`;
  const place = sql`(${sql.placeholder('sequence')}, ${sql.placeholder('number')}, ${sql.placeholder('webhookId')})`;
  const pageOfState = selectAny<EventKey & InState>(
    sql`${isInState} AND (${sequence}, ${number}, ${webhookId}) < ${place}`,
    desc(sequence),
    desc(number),
    desc(webhookId),
  );
  const ofState = () => builder.select({ number }).from(deliveries).where(isInState).limit(limit);
  const countOfState = prepare<InState & { limit: number }, { total: bigint }>(() =>
    builder.select({ total: sql<bigint>`count(*)`.as('total') }).from(ofState().as('counted')),
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
  const put = prepare<DeliveryRow>(() =>
    builder
      .insert(deliveries)
      .values(placeholdersOf(columns))
      .onConflictDoUpdate({ target: [webhookId, sequence, number], set: placeholdersOf(changeable) }),
  );

  const isTest = isNotNull(timestamp);
  const isPendingTest = and(isOfWebhook, isTest, isNotNull(nextAttemptAt));
  const newestTest = prepare<void, { number: bigint | null }>(() =>
    builder
      .select({ number: max(number).as('number') })
      .from(deliveries)
      .where(isTest),
  );
  const newestTestMessage = (): bigint => newestTest.all()[0]?.number ?? 0n;
  const testByNumber = prepare<{ number: bigint }, DeliveryRow>(() =>
    builder
      .select(fieldsOf(columns))
      .from(deliveries)
      .where(and(isTest, eq(number, sql.placeholder('number')))),
  );
  const pendingTests = prepare<{ webhookId: string; limit: number }, { number: bigint }>(() =>
    builder.select(fieldsOf({ number })).from(deliveries).where(isPendingTest).limit(limit),
  );
  const removePendingTests = prepare<{ webhookId: string }>(() => builder.delete(deliveries).where(isPendingTest));
  const settled = () =>
    builder
      .select({ rowid: sql`rowid` })
      .from(deliveries)
      .where(and(isNull(nextAttemptAt), lt(timestamp, sql.placeholder('before'))))
      .orderBy(timestamp)
      .limit(limit);
  const removeSettledTests = prepare<{ before: string; limit: number }>(() =>
    builder.delete(deliveries).where(inArray(sql`rowid`, settled())),
  );

  return {
    log: selectLog(),
    logOfType: selectLog<{ type: string }>(eq(events.type, sql.placeholder('type'))),
    find: (webhookId: string, key: EventKey): Delivery | undefined =>
      byKey.all({ webhookId, ...key, limit: 1 }).map(toDelivery)[0],
    /** The request for a delivery, which `find` returns too, at a quarter of the cost. Undefined if there is no such delivery. */
    findRequest: (webhookId: string, { sequence, number }: EventKey) => request.all({ webhookId, sequence, number })[0],
    /** Whether a delivery to the webhook is requested, and not attempted since. */
    hasRequests: (webhookId: string): boolean => anyRequest.all({ webhookId }).length > 0,
    /** Lists at most `limit` deliveries before the key, newest first. */
    page: (webhookId: string, before: EventKey, limit: number): Delivery[] =>
      page.all({ webhookId, ...before, limit }).map(toDelivery),
    /** Lists at most `limit` deliveries in the state, to all webhooks, before the place, newest first. */
    pageOfState: (state: DeliveryState, before: DeliveryPlace, limit: number): Delivery[] =>
      pageOfState.all({ state, ...before, limit }).map(toDelivery),
    /** Counts to `limit` at most. */
    countOfState: (state: DeliveryState, limit: number): number => Number(countOfState.all({ state, limit })[0]?.total),
    /** Lists due deliveries: the requested ones, then those scheduled, then those that a clock ahead has scheduled too late. */
    due: (webhookId: string, range: DueRange): Delivery[] => {
      const values = { webhookId, ...range };
      const rows = [...requested.all(values), ...scheduled.all(values)];
      if (rows.length < range.limit) rows.push(...scheduledAfter.all(values));
      return rows.slice(0, range.limit).map(toDelivery);
    },
    put: (delivery: Delivery): void => void put.run(toDeliveryRow(delivery)),

    /** The number of the newest test message, or 0. */
    newestTestMessage,
    /** Finds the test message with this number, and whether it may have been pruned: they are pruned by their age, not in order. */
    lookUpTestMessage: (sought: bigint) => {
      const [row] = testByNumber.all({ number: sought });
      return { existing: row && toTestMessage(row), isGone: sought <= (newestTestMessage() || sought) };
    },
    /** Counts to `testMessagesPendingMax` at most. */
    countPendingTestMessages: (webhookId: string): number =>
      pendingTests.all({ webhookId, limit: testMessagesPendingMax }).length,
    removePendingTestMessages: (webhookId: string): void => void removePendingTests.run({ webhookId }),
    /** Removes the oldest settled test messages from before this time, at most `limit`. Returns their number. */
    removeSettledTestMessages: (before: string, limit: number): number =>
      removeSettledTests.run({ before, limit }).changes,
  };
};

const columns = getTableColumns(deliveries);
const { webhookId, sequence, number, timestamp, nextAttemptAt, requestedAt } = columns;
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

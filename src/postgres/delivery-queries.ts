import {
  and,
  asc,
  desc,
  eq,
  getTableColumns,
  gt,
  isNotNull,
  isNull,
  lt,
  lte,
  max,
  min,
  type SQL,
  sql,
} from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { type Delivery, type DeliveryState, testMessagesPendingMax } from '../deliveries/delivery.ts';
import type { DeliveryPlace } from '../deliveries/place.ts';
import { toDelivery, toDeliveryRow, toTestMessage } from '../deliveries/row.ts';
import type { DueRange } from '../deliveries/store.ts';
import { type EventKey, keyOf } from '../events/event.ts';
import { deliveries, events } from './db/tables.ts';
import type { Session } from './session/session.ts';
import { builder, isOnNode, manyRows, prepare, valuesOf } from './session/statement.ts';
import { deliveryKeys, findByKeys } from './sql-statements.ts';

export const findDelivery = async (session: Session, webhookId: string, key: EventKey): Promise<Delivery | undefined> =>
  (await byKey(session, { webhookId, ...key, limit: 1 })).map(toDelivery)[0];

/** Lists at most `limit` deliveries before the key, newest first. */
export const readPage = async (
  session: Session,
  webhookId: string,
  before: EventKey,
  limit: number,
): Promise<Delivery[]> => (await page(session, { webhookId, ...before, limit })).map(toDelivery);

/** Lists at most `limit` deliveries in the state, to all webhooks, before the place, newest first. */
export const readPageOfState = async (
  session: Session,
  state: DeliveryState,
  before: DeliveryPlace,
  limit: number,
): Promise<Delivery[]> => (await pageOfState(session, { state, ...before, limit })).map(toDelivery);

/** Counts to `limit` at most. */
export const countOfDeliveries = async (session: Session, state: DeliveryState, limit: number): Promise<number> =>
  Number((await countOfState(session, { state, limit }))[0]?.total);

/**
 * Lists due deliveries: the requested ones, then those scheduled, then those that a clock ahead has scheduled too late. It is one
 * statement, so that all are from one snapshot, and none is listed twice.
 */
export const readDue = async (session: Session, webhookId: string, range: DueRange): Promise<Delivery[]> =>
  (await due(session, { webhookId, ...range })).map(toDelivery);

/** The earliest time at which a delivery that is not requested is scheduled. */
export const readNextDue = async (session: Session, webhookId: string): Promise<string | undefined> =>
  (await nextDue(session, { webhookId }))[0]?.at ?? undefined;

/** Finds the requests of these deliveries, by their index. Undefined if there is no such delivery. */
export const findRequests = async (session: Session, sought: readonly Delivery[]) => {
  const rows = await findByKeys(
    session,
    deliveryKeys.toArrays(sought.map(({ webhookId, event }) => ({ webhookId, ...keyOf(event) }))),
  );
  const byPlace = new Map(rows.map((row) => [Number(row.place), row]));
  return sought.map((_, index) => byPlace.get(index + 1));
};

/** Stores deliveries of locked webhooks. The query is sent immediately, and COMMIT may follow without an await. */
export const putDeliveries = (session: Session, changed: readonly Delivery[]): Promise<unknown> =>
  put(session, all.toArrays(changed.map(toDeliveryRow)));

/** The number of the newest test message, or 0. */
export const readNewestTestMessage = async (session: Session): Promise<bigint> =>
  (await newestTest(session))[0]?.number ?? 0n;

/** Finds the test message with this number, and whether it may have been pruned: they are pruned by their age, not in order. */
export const lookUpTestMessage = async (session: Session, sought: bigint) => {
  const [row] = await testByNumber(session, { number: sought });
  const isGone = sought <= ((await readNewestTestMessage(session)) || sought);
  return { existing: row && toTestMessage(row), isGone };
};

/** Counts to `testMessagesPendingMax` at most. */
export const countPendingTestMessages = async (session: Session, webhookId: string): Promise<number> =>
  (await pendingTests(session, { webhookId, limit: testMessagesPendingMax })).length;

export const removePendingTestMessages = async (session: Session, webhookId: string): Promise<void> =>
  void (await removePendingTests(session, { webhookId }));

/** Removes the oldest settled test messages from before this time, at most `limit`. Returns their number. */
export const removeSettledTestMessages = async (session: Session, before: string, limit: number): Promise<number> =>
  (await removeSettledTests(session, { before, limit })).count;

interface InState {
  readonly state: DeliveryState;
}

const columns = getTableColumns(deliveries);
const { webhookId, sequence, number, timestamp, nextAttemptAt, requestedAt, state } = columns;
const { webhookId: _, sequence: __, number: ___, ...changeable } = columns;
const limit = sql.placeholder('limit');
const key = sql`(${sql.placeholder('sequence')}, ${sql.placeholder('number')})`;
const isOfWebhook = eq(webhookId, sql.placeholder('webhookId'));

const selectAny = (condition: SQL | undefined, ...order: SQL[]) =>
  builder
    .select({
      ...getTableColumns(events),
      ...columns,
      eventTimestamp: sql<string | null>`${events.timestamp}`,
    })
    .from(deliveries)
    .leftJoin(events, and(eq(number, 0n), eq(events.sequence, sequence)))
    .where(condition)
    .orderBy(...order)
    .limit(limit);
const select = (condition: SQL | undefined, ...order: SQL[]) => selectAny(and(isOfWebhook, condition), ...order);

const byKey = prepare<EventKey & { webhookId: string; limit: number }>()(
  select(sql`(${sequence}, ${number}) = ${key}`),
);
const page = prepare<EventKey & { webhookId: string; limit: number }>()(
  select(sql`(${sequence}, ${number}) < ${key}`, desc(sequence), desc(number)),
);
const newestFirst = [desc(sequence), desc(number), desc(webhookId)];
const isInState = eq(state, sql.placeholder('state'));
const pageOfState = prepare<DeliveryPlace & InState & { limit: number }>()(
  selectAny(
    sql`${isInState} AND (${sequence}, ${number}, ${webhookId}) < (${sql.placeholder('sequence')}, ${sql.placeholder('number')}, ${sql.placeholder('webhookId')})`,
    ...newestFirst,
  ),
);
// In the order of the index: PostgreSQL could read the table up to a rare state.
const ofState = builder
  .select({ number })
  .from(deliveries)
  .where(isInState)
  .orderBy(...newestFirst)
  .limit(limit);
const countOfState = prepare<InState & { limit: number }>()(
  builder.select({ total: sql<number>`count(*)::int` }).from(ofState.as('counted')),
);
const isScheduled = isNull(requestedAt);
const due = prepare<DueRange & { webhookId: string }>()(
  unionAll(
    select(isNotNull(requestedAt), asc(requestedAt)),
    select(and(isScheduled, lte(nextAttemptAt, sql.placeholder('now'))), asc(nextAttemptAt)),
    select(and(isScheduled, gt(nextAttemptAt, sql.placeholder('latest'))), asc(nextAttemptAt)),
  )
    .orderBy(sql`"requestedAt"`, sql`"nextAttemptAt"`)
    .limit(limit),
);

const nextDue = prepare<{ webhookId: string }>()(
  builder
    .select({ at: min(nextAttemptAt) })
    .from(deliveries)
    .where(and(isOfWebhook, isScheduled, isNotNull(nextAttemptAt))),
);

const all = manyRows(columns);

const put = prepare<ReturnType<typeof all.toArrays>>()(
  builder
    .insert(deliveries)
    .select(sql`SELECT * FROM ${all.input} WHERE ${isOnNode}`)
    .onConflictDoUpdate({ target: [webhookId, sequence, number], set: valuesOf('excluded', changeable) }),
);

const isTest = isNotNull(timestamp);
const isPendingTest = and(isOfWebhook, isTest, isNotNull(nextAttemptAt));
const newestTest = prepare()(
  builder
    .select({ number: max(number) })
    .from(deliveries)
    .where(isTest),
);
const testByNumber = prepare<{ number: bigint }>()(
  builder
    .select()
    .from(deliveries)
    .where(and(isTest, eq(number, sql.placeholder('number')))),
);
const pendingTests = prepare<{ webhookId: string; limit: number }>()(
  builder.select({ number }).from(deliveries).where(isPendingTest).limit(limit),
);
const removePendingTests = prepare<{ webhookId: string }>()(builder.delete(deliveries).where(isPendingTest));
const settled = builder
  .select({ number })
  .from(deliveries)
  .where(and(isNull(nextAttemptAt), lt(timestamp, sql.placeholder('before'))))
  .orderBy(timestamp)
  .limit(limit);
// As an array, since PostgreSQL may read the whole table for a join.
const removeSettledTests = prepare<{ before: string; limit: number }>()(
  builder.delete(deliveries).where(and(isTest, sql`${number} = ANY(ARRAY(${settled}))`)),
);

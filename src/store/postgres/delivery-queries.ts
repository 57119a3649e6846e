import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, type SQL } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { unionAll } from 'drizzle-orm/pg-core';
import { deliveries, events, type webhookTests } from '../../../db/postgres.ts';
import type { Delivery, DeliveryRequest } from '../../domain/delivery.ts';
import { type EventPlace, placeOf } from '../../domain/event.ts';
import { toDelivery, toDeliveryRow } from '../rows/delivery.ts';
import { type EventRow, toEvent } from '../rows/event.ts';
import type { DueRange } from '../store.ts';
import { toArrays } from './columns.ts';
import type { Session } from './session/session.ts';

/** Two tables have deliveries: one has the deliveries of events in the log, the other those of tests. */
export interface DeliveryTable {
  find(client: Session, webhookId: string, place: EventPlace): Promise<Delivery | undefined>;
  /** Lists at most `limit` deliveries before the place, newest first. */
  page(client: Session, webhookId: string, before: EventPlace, limit: number): Promise<Delivery[]>;
  /** Lists due deliveries: at most `limit` for each reason. All are from one snapshot, so that none is listed twice. */
  due(client: Session, webhookId: string, range: DueRange): Promise<Delivery[]>;
  /** Finds the stored requests for these deliveries. */
  findRequests(client: Session, deliveries: readonly Delivery[]): Promise<[Delivery, DeliveryRequest][]>;
  /** Writes deliveries of locked webhooks. The query is sent immediately, and COMMIT may follow without an await. */
  put(client: Session, deliveries: readonly Delivery[]): Promise<unknown>;
}

export const logDeliveries: DeliveryTable = {
  find: async ({ db }, webhookId, { sequence }) =>
    (await selectDeliveries(db, webhookId, eq(deliveries.sequence, sequence))).map(fromRow)[0],
  page: async ({ db }, webhookId, { sequence, number }, limit) => {
    // The tests that were requested after an event are newer than it.
    const isUpTo = lte(deliveries.sequence, number > 0n ? sequence : sequence - 1n);
    const rows = selectDeliveries(db, webhookId, isUpTo).orderBy(desc(deliveries.sequence)).limit(limit);
    return (await rows).map(fromRow);
  },
  due: async ({ db }, webhookId, range) => {
    const select = ({ condition, order }: DueReason) =>
      selectDeliveries(db, webhookId, condition).orderBy(order).limit(range.limit);
    const { requested, scheduled, scheduledAfter } = dueReasons(deliveries, range);
    return (await unionAll(select(requested), select(scheduled), select(scheduledAfter))).map(fromRow);
  },
  findRequests: async ({ sql }, sought) => {
    const { webhookId, sequence } = toDeliveryArrays(sql, sought);
    // The limit prevents a join, for which PostgreSQL may read the whole table.
    const rows: RequestRow[] = await sql`
      SELECT place, next_attempt_at, requested_at
      FROM unnest(${webhookId}, ${sequence}) WITH ORDINALITY AS input (webhook_id, sequence, place),
        LATERAL (
          SELECT next_attempt_at, requested_at FROM deliveries
          WHERE webhook_id = input.webhook_id AND sequence = input.sequence LIMIT 1
        ) AS present
      WHERE requested_at IS NOT NULL`;
    return toRequests(sought, rows);
  },
  put: ({ sql }, changed) => {
    const { webhookId, sequence, attempts, attemptsInRound, nextAttemptAt, requestedAt } = toDeliveryArrays(
      sql,
      changed,
    );
    return sql`
      INSERT INTO deliveries (webhook_id, sequence, attempts, attempts_in_round, next_attempt_at, requested_at)
      SELECT * FROM unnest(${webhookId}, ${sequence}, ${attempts}, ${attemptsInRound}, ${nextAttemptAt}, ${requestedAt})
      ON CONFLICT (webhook_id, sequence) DO UPDATE SET attempts = excluded.attempts,
        attempts_in_round = excluded.attempts_in_round, next_attempt_at = excluded.next_attempt_at,
        requested_at = excluded.requested_at`.execute();
  },
};

export interface DueReason {
  readonly condition: SQL | undefined;
  readonly order: SQL;
}

/** Why a delivery is due, as parts of a query for each reason. */
export const dueReasons = (table: typeof deliveries | typeof webhookTests, { now, latest }: DueRange) => {
  const { requestedAt, nextAttemptAt } = table;
  const isScheduled = isNull(requestedAt);
  return {
    /** Requested: oldest request first. */
    requested: { condition: isNotNull(requestedAt), order: asc(requestedAt) },
    /** Scheduled and due: earliest time first. */
    scheduled: { condition: and(isScheduled, lte(nextAttemptAt, now)), order: asc(nextAttemptAt) },
    /** Scheduled after `latest`, which is later than any schedule: the clock was set back. */
    scheduledAfter: { condition: and(isScheduled, gt(nextAttemptAt, latest)), order: asc(nextAttemptAt) },
  } satisfies Record<string, DueReason>;
};

export interface RequestRow {
  /** The position of the delivery in the list of keys, from 1. */
  readonly place: bigint;
  readonly next_attempt_at: string | null;
  readonly requested_at: string;
}

export const toRequests = (sought: readonly Delivery[], rows: readonly RequestRow[]): [Delivery, DeliveryRequest][] =>
  rows.flatMap(({ place, next_attempt_at, requested_at }): [Delivery, DeliveryRequest][] => {
    const delivery = sought[Number(place) - 1];
    if (!delivery) return [];
    const request = { requestedAt: requested_at, ...(next_attempt_at !== null && { nextAttemptAt: next_attempt_at }) };
    return [[delivery, request]];
  });

/** Deliveries of both tables, as an array for each column; `number` is that of a test. */
export const toDeliveryArrays = (sql: Session['sql'], changed: readonly Delivery[]) =>
  toArrays(
    sql,
    {
      webhookId: 'text',
      sequence: 'int8',
      number: 'int8',
      attempts: 'text',
      attemptsInRound: 'int8',
      nextAttemptAt: 'text',
      requestedAt: 'text',
    },
    changed.map((delivery) => ({
      ...toDeliveryRow(delivery),
      ...placeOf(delivery.event),
      attempts: JSON.stringify(delivery.attempts),
    })),
  );

const selectDeliveries = (db: BunSQLDatabase, webhookId: string, condition: SQL | undefined) =>
  db
    .select({ delivery: getTableColumns(deliveries), event: getTableColumns(events) })
    .from(deliveries)
    .innerJoin(events, eq(events.sequence, deliveries.sequence))
    .where(and(eq(deliveries.webhookId, webhookId), condition))
    .$dynamic();

const fromRow = ({ delivery, event }: { delivery: typeof deliveries.$inferSelect; event: EventRow }): Delivery =>
  toDelivery(delivery, toEvent(event));

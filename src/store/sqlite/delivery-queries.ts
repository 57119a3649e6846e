import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, type SQL, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { deliveries, events, type webhookTests } from '../../../db/sqlite.ts';
import type { Delivery } from '../../domain/delivery.ts';
import type { EventPlace } from '../../domain/event.ts';
import { toDelivery, toDeliveryRow } from '../rows/delivery.ts';
import { type EventRow, toEvent } from '../rows/event.ts';
import type { DueRange } from '../store.ts';
import { placeholdersOf } from './statement.ts';

/** Two tables have deliveries: one has the deliveries of events in the log, the other those of tests. */
export interface DeliveryTable {
  find(webhookId: string, place: EventPlace): Delivery | undefined;
  /** Lists at most `limit` deliveries before the place, newest first. */
  page(webhookId: string, before: EventPlace, limit: number): Delivery[];
  /** Lists at most `limit` deliveries that are due for this reason. */
  due(reason: DueReason, values: DueRange & { readonly webhookId: string }): Delivery[];
  put(delivery: Delivery): void;
}

export type DueReason = keyof ReturnType<typeof prepareDueQueries>;

export const createLogDeliveries = (queries: DeliveryQueries): DeliveryTable => ({
  find: (webhookId, { sequence }) => queries.bySequence.all({ webhookId, sequence, limit: 1 }).map(fromRow)[0],
  page: (webhookId, { sequence, number }, limit) =>
    // The tests that were requested after an event are newer than it.
    queries.page.all({ webhookId, upTo: number > 0n ? sequence : sequence - 1n, limit }).map(fromRow),
  due: (reason, values) => queries[reason].all({ ...values }).map(fromRow),
  put: (delivery) => {
    const attempts = JSON.stringify(delivery.attempts);
    queries.put.run({ ...toDeliveryRow(delivery), attempts, sequence: delivery.event.sequence });
  },
});

export type DeliveryQueries = ReturnType<typeof prepareDeliveryQueries>;

/** Statements on deliveries of the log, each prepared once for a client. */
export const prepareDeliveryQueries = (db: BunSQLiteDatabase) => {
  const isOfWebhook = eq(deliveries.webhookId, sql.placeholder('webhookId'));
  const limit = sql.placeholder('limit');
  const select = (condition: SQL | undefined, ...order: SQL[]) =>
    db
      .select({ delivery: getTableColumns(deliveries), event: getTableColumns(events) })
      .from(deliveries)
      .innerJoin(events, eq(events.sequence, deliveries.sequence))
      .where(and(isOfWebhook, condition))
      .orderBy(...order)
      .limit(limit)
      .prepare();
  /** Selects from the log. `triedBy` is null when the webhook has no delivery of the event. */
  const selectLog = (condition?: SQL) =>
    db
      .select({ ...getTableColumns(events), triedBy: deliveries.webhookId })
      .from(events)
      .leftJoin(deliveries, and(isOfWebhook, eq(deliveries.sequence, events.sequence)))
      .where(and(condition, gt(events.sequence, sql.placeholder('after'))))
      .orderBy(asc(events.sequence))
      .limit(limit)
      .prepare();
  return {
    ...prepareDueQueries(deliveries, select),
    bySequence: select(eq(deliveries.sequence, sql.placeholder('sequence'))),
    page: select(lte(deliveries.sequence, sql.placeholder('upTo')), desc(deliveries.sequence)),
    log: selectLog(),
    logOfType: selectLog(eq(events.type, sql.placeholder('type'))),
    put: db
      .insert(deliveries)
      .values(placeholdersOf(getTableColumns(deliveries)))
      .onConflictDoUpdate({ target: [deliveries.webhookId, deliveries.sequence], set: placeholdersOf(changeable) })
      .prepare(),
  };
};

const { webhookId: _, sequence: __, ...changeable } = getTableColumns(deliveries);

/**
 * The statements that find the due deliveries of a webhook. `select` prepares one from a condition and an order, with a limit.
 */
export const prepareDueQueries = <Query>(
  table: typeof deliveries | typeof webhookTests,
  select: (condition: SQL | undefined, order: SQL) => Query,
) => {
  const { requestedAt, nextAttemptAt } = table;
  const isScheduled = isNull(requestedAt);
  return {
    /** Requested: oldest request first. */
    requested: select(isNotNull(requestedAt), asc(requestedAt)),
    /** Scheduled and due at `now`: earliest time first. */
    scheduled: select(and(isScheduled, lte(nextAttemptAt, sql.placeholder('now'))), asc(nextAttemptAt)),
    /** Scheduled after `latest`, which is later than any schedule: the clock was set back. */
    scheduledAfter: select(and(isScheduled, gt(nextAttemptAt, sql.placeholder('latest'))), asc(nextAttemptAt)),
  };
};

const fromRow = ({ delivery, event }: { delivery: typeof deliveries.$inferSelect; event: EventRow }): Delivery =>
  toDelivery(delivery, toEvent(event));

/** The sequence of the newest event, or 0, as part of a statement. */
export const newestSequence = sql`(SELECT coalesce(max(${events.sequence}), 0) FROM ${events})`;

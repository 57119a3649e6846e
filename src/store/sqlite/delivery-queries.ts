import { and, asc, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { deliveries, events, webhooks } from '../../../db/sqlite.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { changedColumns, type DeliveryRows, toColumns, toDelivery } from './delivery-rows.ts';
import { given } from './placeholder.ts';
import { type EventRow, toEvent } from './plant-rows.ts';

/** Statements on deliveries, each prepared once for a client. */
export const prepareDeliveryQueries = (db: BunSQLiteDatabase) => {
  const isOfWebhook = eq(deliveries.webhookId, sql.placeholder('webhookId'));
  const isId = eq(webhooks.id, sql.placeholder('id'));
  const limit = sql.placeholder('limit');
  const row = { delivery: getTableColumns(deliveries), event: getTableColumns(events) };
  const select = () => db.select(row).from(deliveries).innerJoin(events, eq(events.sequence, deliveries.sequence));
  return {
    bySequence: select()
      .where(and(isOfWebhook, eq(deliveries.sequence, sql.placeholder('sequence'))))
      .prepare(),
    page: select()
      .where(and(isOfWebhook, lte(deliveries.sequence, sql.placeholder('upTo'))))
      .orderBy(desc(deliveries.sequence))
      .limit(limit)
      .prepare(),
    requested: select()
      .where(and(isOfWebhook, isNotNull(deliveries.requestedAt)))
      .orderBy(asc(deliveries.requestedAt))
      .limit(limit)
      .prepare(),
    due: select()
      .where(and(isOfWebhook, isNull(deliveries.requestedAt), lte(deliveries.nextAttemptAt, sql.placeholder('now'))))
      .orderBy(asc(deliveries.nextAttemptAt))
      .limit(limit)
      .prepare(),
    putOffPast: select()
      .where(and(isOfWebhook, isNull(deliveries.requestedAt), gt(deliveries.nextAttemptAt, sql.placeholder('latest'))))
      .orderBy(asc(deliveries.nextAttemptAt))
      .limit(limit)
      .prepare(),
    /** The log, and beside each event the delivery of it, if there is one. */
    log: db
      .select({ event: getTableColumns(events), triedBy: deliveries.webhookId })
      .from(events)
      .leftJoin(deliveries, and(isOfWebhook, eq(deliveries.sequence, events.sequence)))
      .where(gt(events.sequence, sql.placeholder('after')))
      .orderBy(asc(events.sequence))
      .limit(limit)
      .prepare(),
    put: db
      .insert(deliveries)
      .values({ webhookId: sql.placeholder('webhookId'), sequence: sql.placeholder('sequence'), ...changedColumns })
      .onConflictDoUpdate({ target: [deliveries.webhookId, deliveries.sequence], set: changedColumns })
      .prepare(),
    setHealth: db
      .update(webhooks)
      .set({
        failingSince: given('failingSince'),
        disabledAt: given('disabledAt'),
        disabledReason: given('disabledReason'),
      })
      .where(isId)
      .prepare(),
    enable: db
      .update(webhooks)
      .set({ disabledAt: null, disabledReason: null, enabledAt: given('now') })
      .where(isId)
      .prepare(),
    advance: db
      .update(webhooks)
      .set({ position: sql`max(${webhooks.position}, ${sql.placeholder('position')})` })
      .where(isId)
      .prepare(),
  };
};

export type DeliveryQueries = ReturnType<typeof prepareDeliveryQueries>;

interface JoinedRow {
  readonly delivery: typeof deliveries.$inferSelect;
  readonly event: EventRow;
}

/** The deliveries of the events of the log. */
export const createLogDeliveries = (queries: DeliveryQueries): DeliveryRows => ({
  find: (webhookId, { sequence }) => queries.bySequence.all({ webhookId, sequence }).map(fromRow)[0],
  page: (webhookId, { sequence, number }, limit) =>
    // The tests that were requested after an event are newer than it.
    queries.page.all({ webhookId, upTo: number > 0n ? sequence : sequence - 1n, limit }).map(fromRow),
  requested: (webhookId, limit) => queries.requested.all({ webhookId, limit }).map(fromRow),
  due: (webhookId, now, limit) => queries.due.all({ webhookId, now, limit }).map(fromRow),
  putOffPast: (webhookId, latest, limit) => queries.putOffPast.all({ webhookId, latest, limit }).map(fromRow),
  put: (delivery) => queries.put.run({ ...toColumns(delivery), sequence: delivery.event.sequence }),
});

const fromRow = ({ delivery, event }: JoinedRow): Delivery => toDelivery(delivery, toEvent(event));

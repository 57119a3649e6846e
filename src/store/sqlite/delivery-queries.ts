import { and, asc, desc, eq, getTableColumns, gt, lte, type SQL, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { deliveries, events, webhooks } from '../../../db/sqlite.ts';
import type { Delivery } from '../../domain/delivery.ts';
import { placeholdersOf } from './columns.ts';
import { changedColumns, type DeliveryTable, prepareDueQueries, toColumns, toDelivery } from './delivery-rows.ts';
import { type EventRow, toEvent } from './plant-rows.ts';

/** Statements on deliveries, each prepared once for a client. */
export const prepareDeliveryQueries = (db: BunSQLiteDatabase) => {
  const isOfWebhook = eq(deliveries.webhookId, sql.placeholder('webhookId'));
  const isId = eq(webhooks.id, sql.placeholder('id'));
  const limit = sql.placeholder('limit');
  const { failingSince, disabledAt, disabledReason, enabledAt } = webhooks;
  const row = { delivery: getTableColumns(deliveries), event: getTableColumns(events) };
  const select = (condition: SQL | undefined, ...order: SQL[]) =>
    db
      .select(row)
      .from(deliveries)
      .innerJoin(events, eq(events.sequence, deliveries.sequence))
      .where(and(isOfWebhook, condition))
      .orderBy(...order)
      .limit(limit)
      .prepare();
  return {
    ...prepareDueQueries(deliveries, select),
    bySequence: select(eq(deliveries.sequence, sql.placeholder('sequence'))),
    page: select(lte(deliveries.sequence, sql.placeholder('upTo')), desc(deliveries.sequence)),
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
      .values(placeholdersOf(getTableColumns(deliveries)))
      .onConflictDoUpdate({ target: [deliveries.webhookId, deliveries.sequence], set: changedColumns })
      .prepare(),
    setHealth: db
      .update(webhooks)
      .set(placeholdersOf({ failingSince, disabledAt, disabledReason }))
      .where(isId)
      .prepare(),
    enable: db
      .update(webhooks)
      .set({ disabledAt: null, disabledReason: null, ...placeholdersOf({ enabledAt }) })
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
export const createLogDeliveries = (queries: DeliveryQueries): DeliveryTable => ({
  find: (webhookId, { sequence }) => queries.bySequence.all({ webhookId, sequence, limit: 1 }).map(fromRow)[0],
  page: (webhookId, { sequence, number }, limit) =>
    // The tests that were requested after an event are newer than it.
    queries.page.all({ webhookId, upTo: number > 0n ? sequence : sequence - 1n, limit }).map(fromRow),
  due: (reason, values) => queries[reason].all({ ...values }).map(fromRow),
  put: (delivery) => queries.put.run({ ...toColumns(delivery), sequence: delivery.event.sequence }),
});

const fromRow = ({ delivery, event }: JoinedRow): Delivery => toDelivery(delivery, toEvent(event));

/** The statements that several parts of the store share, each prepared once for a client. */
import { and, asc, desc, eq, getTableColumns, gt, sql } from 'drizzle-orm';
import { events, webhooks } from '../../../db/sqlite.ts';
import type { PlantEvent } from '../../domain/event.ts';
import type { NewPlant } from '../../domain/plant.ts';
import type { Health, WebhookRecord } from '../../domain/webhook.ts';
import { type EventRow, toEventRow } from '../rows/event.ts';
import { toEnabledColumns, toHealthColumns, toWebhook } from '../rows/webhook.ts';
import { prepareDeliveryQueries } from './delivery-queries.ts';
import { type DrizzleClient, fieldsOf, manyRows, placeholdersOf, prepareDirect } from './statement.ts';

export type Queries = ReturnType<typeof prepareQueries>;

export const prepareQueries = (db: DrizzleClient) => ({
  events: prepareEventQueries(db),
  deliveries: prepareDeliveryQueries(db),
  webhooks: prepareWebhookQueries(db),
});

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
    oldest: select().orderBy(asc(events.sequence)).limit(limit).prepare(),
    newest: select().orderBy(desc(events.sequence)).limit(1).prepare(),
  };
};

/** Statements on webhooks that run for each attempt. */
const prepareWebhookQueries = (db: DrizzleClient) => {
  const isId = eq(webhooks.id, sql.placeholder('id'));
  const { failingSince, disabledAt, disabledReason } = webhooks;
  const byId = db.select().from(webhooks).where(isId).prepare();
  const setHealth = db
    .update(webhooks)
    .set(placeholdersOf({ failingSince, disabledAt, disabledReason }))
    .where(isId)
    .prepare();
  const advance = db
    .update(webhooks)
    .set({ position: sql`max(${webhooks.position}, ${sql.placeholder('position')})` })
    .where(isId)
    .prepare();
  return {
    find: (id: string): WebhookRecord | undefined => {
      const row = byId.get({ id });
      return row && toWebhook(row);
    },
    /** Finds it if its lease has this epoch. */
    findLeased: (id: string, epoch: bigint | undefined): WebhookRecord | undefined => {
      const row = byId.get({ id });
      return row?.leaseEpoch === epoch ? row && toWebhook(row) : undefined;
    },
    setHealth: (id: string, health: Health): void => setHealth.run({ id, ...toHealthColumns(health) }),
    advance: (id: string, position: bigint): void => advance.run({ id, position }),
    enable: (id: string, now: Date): void =>
      db.update(webhooks).set(toEnabledColumns(now)).where(eq(webhooks.id, id)).run(),
  };
};

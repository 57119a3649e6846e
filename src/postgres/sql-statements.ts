/**
 * The statements on tables that Drizzle does not express, so that they are written in SQL: it has no arrays as rows, WITH ORDINALITY,
 * temporary tables, cursors or recursion. What sessions say to the server itself is in `session/`: settings, transactions and locks.
 */
import { getTableColumns, sql } from 'drizzle-orm';
import { deliveries, events, plants, webhooks } from './db/tables.ts';
import { manyRows, namesOf, prepare } from './session/statement.ts';

/** No plant is created with a picture. */
const { picture: _, ...plantColumns } = getTableColumns(plants);
const { id: plantId, createdAt, updatedAt, ...members } = plantColumns;
const logged = { id: plantId, ...members };
const tracedColumns = { ...plantColumns, traceparent: events.traceparent };

/** Plants to create, each with the `traceparent` of the request for it. */
export const tracedPlants = manyRows(tracedColumns);

/**
 * Creates the plants whose id is free, with their events. The rows are their ids, each with the sequence of the newest event. In SQL, since
 * in Drizzle too each part would be. Joining the given plants with the table would make PostgreSQL read all of it.
 */
export const createWithEvents = prepare<
  { transaction: string; earlier: string; now: string } & ReturnType<typeof tracedPlants.toArrays>
>()(sql<{ readonly sequence: bigint; readonly id: bigint | null }>`
  WITH batch AS (
    INSERT INTO transactions (id, is_fence, created_at) VALUES (${sql.placeholder('transaction')}, false, ${sql.placeholder('now')})
  ), earlier AS (
    DELETE FROM transactions WHERE id = ${sql.placeholder('earlier')} AND NOT is_fence
  ), input AS (
    SELECT * FROM ${tracedPlants.inOrder}
  ), created AS (
    INSERT INTO plants (${namesOf(plantColumns)}) SELECT ${namesOf(plantColumns)} FROM input ORDER BY id
    ON CONFLICT (id) DO NOTHING RETURNING id
  ), head AS (
    UPDATE log_head SET sequence = sequence + (SELECT count(*) FROM created)
    RETURNING sequence, sequence - (SELECT count(*) FROM created) AS before
  ), appended AS (
    INSERT INTO events (sequence, type, timestamp, plant_id, ${namesOf(members)}, traceparent)
    SELECT head.before + row_number() OVER (ORDER BY place), 'plant.created', created_at, id, ${namesOf(members)}, traceparent
    FROM head, input JOIN created USING (id)
  )
  SELECT head.sequence, created.id FROM head LEFT JOIN created ON true`);

const { sequence: eventSequence, ...eventColumns } = getTableColumns(events);

/** Events without their sequence. */
export const newEvents = manyRows(eventColumns);

/** Collects events in a temporary table. */
export const collect = prepare<{ collected: number } & ReturnType<typeof newEvents.toArrays>>()(sql`
  INSERT INTO collected_events (sequence, ${newEvents.names})
  SELECT ${sql.placeholder('collected')} + place, ${newEvents.names} FROM ${newEvents.inOrder}`);

const loggedPlants = manyRows(logged);

/** Collects the events of created plants. */
export const collectCreated = prepare<
  { collected: number; now: string } & ReturnType<typeof loggedPlants.toArrays>
>()(sql`
  INSERT INTO collected_events (sequence, type, timestamp, plant_id, ${namesOf(members)})
  SELECT ${sql.placeholder('collected')} + place, 'plant.created', ${sql.placeholder('now')}, ${loggedPlants.names}
  FROM ${loggedPlants.inOrder}`);

const collectedColumns = sql.join(
  Object.entries(eventColumns).map(([name, column]) => sql`${sql.identifier(column.name)} AS ${sql.identifier(name)}`),
  sql`, `,
);

/** A cursor of the collected events. */
export const declareCollected = prepare()(sql`
  DECLARE collected NO SCROLL CURSOR FOR
  SELECT ${collectedColumns} FROM collected_events ORDER BY sequence`);

const { webhookId, sequence, number } = getTableColumns(deliveries);

export const deliveryKeys = manyRows({ webhookId, sequence, number });

/**
 * Finds those of these deliveries that are stored, with their places in the list, from 1. The limit prevents a join, for which
 * PostgreSQL may read the whole table.
 */
export const findByKeys = prepare<ReturnType<typeof deliveryKeys.toArrays>>()(sql<{
  readonly place: bigint;
  readonly requestedAt: string | null;
}>`
  SELECT place, requested_at AS "requestedAt"
  FROM ${deliveryKeys.inOrder},
    LATERAL (
      SELECT requested_at FROM deliveries
      WHERE webhook_id = input.webhook_id AND sequence = input.sequence AND number = input.number LIMIT 1
    ) AS existing`);

/**
 * Finds the webhooks that have deliveries, of which some have been deleted. Deliveries are found by their primary key, which begins with
 * the webhook: an index by event would cost every delivery.
 */
export const findWebhooksOfDeliveries = prepare()(sql<{ id: string }>`
  WITH RECURSIVE found (id) AS (
    SELECT min(webhook_id) FROM deliveries
    UNION ALL
    SELECT (SELECT min(webhook_id) FROM deliveries WHERE webhook_id > found.id) FROM found WHERE found.id IS NOT NULL
  )
  SELECT id FROM found WHERE id IS NOT NULL`);

export const readClock = prepare()(
  sql<{ ms: number }>`SELECT (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS ms`,
);

const { id, leaseEpoch, leaseOwner, leaseExpiresAt } = webhooks;
const [epoch, owner, expiresAt] = [leaseEpoch, leaseOwner, leaseExpiresAt];

/** Leases before and after a change. */
export const leases = manyRows({
  id,
  epoch,
  owner,
  expiresAt,
  newEpoch: epoch,
  newOwner: owner,
  newExpiresAt: expiresAt,
});

/** Changes the leases that are as before, and returns the ids of their webhooks. Every transaction locks webhooks by ascending id. */
export const setLeases = prepare<ReturnType<typeof leases.toArrays>>()(sql<{ id: string }>`
  WITH input AS (
    SELECT * FROM ${leases.unnest} AS input (id, epoch, owner, expires_at, new_epoch, new_owner, new_expires_at)
  ), unchanged AS (
    SELECT webhooks.id FROM webhooks JOIN input ON input.id = webhooks.id
    WHERE (lease_epoch, lease_owner, lease_expires_at) IS NOT DISTINCT FROM (epoch, owner, expires_at)
    ORDER BY webhooks.id FOR UPDATE OF webhooks
  )
  UPDATE webhooks SET lease_epoch = new_epoch, lease_owner = new_owner, lease_expires_at = new_expires_at
  FROM input JOIN unchanged ON unchanged.id = input.id
  WHERE webhooks.id = input.id
  RETURNING webhooks.id`);

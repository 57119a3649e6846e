/**
 * The only code that appends to the log of events. A transaction locks the head of the log last, and commits immediately afterwards.
 * So appending transactions of all processes commit one after the other, in the order of their sequences, without a gap.
 */
import type { SQL } from 'bun';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { logHead } from '../../../db/postgres.ts';
import type { PlantEvent, Traced } from '../../domain/event.ts';
import { toEventRow } from '../rows/event.ts';
import type { Client } from './client.ts';
import { toArrays } from './columns.ts';

/** Appends events in this order, as the last statement of a transaction. The query is sent immediately, and COMMIT may follow without an await. */
export const appendEvents = ({ sql }: Client, events: readonly Traced<PlantEvent>[]): Promise<unknown> => {
  const { type, timestamp, plantId, name, tag, traceparent } = toEventArrays(sql, events);
  return sql`
    WITH head AS (
      UPDATE log_head SET sequence = sequence + ${events.length} RETURNING sequence - ${events.length} AS before
    )
    INSERT INTO events (sequence, type, timestamp, plant_id, name, tag, traceparent)
    SELECT head.before + input.place, input.type, input.timestamp, input.plant_id, input.name, input.tag, input.traceparent
    FROM head, unnest(${type}, ${timestamp}, ${plantId}, ${name}, ${tag}, ${traceparent})
      WITH ORDINALITY AS input (type, timestamp, plant_id, name, tag, traceparent, place)`.execute();
};

/** Locks the head of the log, so that no event is appended before this transaction ends. Returns the newest sequence, or 0. */
export const lockHead = async (db: BunSQLDatabase): Promise<bigint> => {
  const [head] = await db.select().from(logHead).for('update');
  if (!head) throw new Error('The log has no head.');
  return head.sequence;
};

/**
 * Collects the events of a long transaction, to append them at its end. `collect` adds events in this order. `collected` is their
 * number, for a statement that inserts into `collected_events` itself and reports its rows with `count`.
 */
export const createCollection = async ({ sql }: Client) => {
  await sql`CREATE TEMPORARY TABLE collected_events (LIKE events) ON COMMIT DROP`;
  let collected = 0;
  return {
    collected: () => collected,
    count: (more: number): void => {
      collected += more;
    },
    collect: async (events: readonly PlantEvent[]): Promise<void> => {
      const { type, timestamp, plantId, name, tag } = toEventArrays(sql, events);
      await sql`
        INSERT INTO collected_events (sequence, type, timestamp, plant_id, name, tag)
        SELECT ${collected} + place, type, timestamp, plant_id, name, tag
        FROM unnest(${type}, ${timestamp}, ${plantId}, ${name}, ${tag})
          WITH ORDINALITY AS input (type, timestamp, plant_id, name, tag, place)`;
      collected += events.length;
    },
    /** Appends the collected events, as `appendEvents` does. */
    append: (): Promise<unknown> =>
      sql`
        WITH head AS (
          UPDATE log_head SET sequence = sequence + ${collected} RETURNING sequence - ${collected} AS before
        )
        INSERT INTO events (sequence, type, timestamp, plant_id, name, tag)
        SELECT head.before + sequence, type, timestamp, plant_id, name, tag FROM head, collected_events`.execute(),
  };
};

export type Collection = Awaited<ReturnType<typeof createCollection>>;

const toEventArrays = (sql: SQL, events: readonly Traced<PlantEvent>[]) =>
  toArrays(
    sql,
    { type: 'text', timestamp: 'text', plantId: 'int8', name: 'text', tag: 'text', traceparent: 'text' },
    events.map((event) => ({ ...toEventRow(event), traceparent: event.traceparent ?? null })),
  );

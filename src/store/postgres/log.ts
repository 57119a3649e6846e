/**
 * The only code that appends to the log of events. A transaction locks the head of the log last, and commits immediately afterwards.
 * So appending transactions of all processes commit one after the other, in the order of their sequences, without a gap.
 */
import { getTableColumns } from 'drizzle-orm';
import type { BunSQLDatabase } from 'drizzle-orm/bun-sql';
import { logHead, events as table } from '../../../db/postgres.ts';
import type { PlantEvent, Traced } from '../../domain/event.ts';
import { toEventRow } from '../rows/event.ts';
import { partsOf } from './columns.ts';
import type { Session } from './session/session.ts';

/** Appends events in this order, as the last statement of a transaction. The query is sent immediately, and COMMIT may follow without an await. */
export const appendEvents = ({ sql }: Session, events: readonly Traced<PlantEvent>[]): Promise<unknown> =>
  sql.unsafe(appendInput, [events.length, ...toParameters(sql, toRows(events))]).execute();

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
export const createCollection = async ({ sql }: Session) => {
  await sql`CREATE TEMPORARY TABLE collected_events (LIKE events) ON COMMIT DROP`;
  let collected = 0;
  return {
    collected: () => collected,
    count: (more: number): void => {
      collected += more;
    },
    collect: async (events: readonly PlantEvent[]): Promise<void> => {
      await sql.unsafe(`INSERT INTO collected_events (${names}, sequence) SELECT ${names}, $1 + place FROM ${input}`, [
        collected,
        ...toParameters(sql, toRows(events)),
      ]);
      collected += events.length;
    },
    /** Appends the collected events, as `appendEvents` does. */
    append: (): Promise<unknown> => sql.unsafe(appendCollected, [collected]).execute(),
  };
};

export type Collection = Awaited<ReturnType<typeof createCollection>>;

const { sequence: _, ...columns } = getTableColumns(table);
const { names, unnest, toParameters } = partsOf(columns);
const toRows = (events: readonly Traced<PlantEvent>[]) => events.map((event) => toEventRow(event, event.traceparent));

/** The rows of arrays, from the second parameter on, with their places from 1. */
const input = `${unnest(2)} WITH ORDINALITY AS input (${names}, place)`;

/** Appends the rows, which have places from 1. The first parameter is their number. */
const appendFrom = (rows: string, place: string): string => `
  WITH head AS (UPDATE log_head SET sequence = sequence + $1 RETURNING sequence - $1 AS before)
  INSERT INTO events (${names}, sequence) SELECT ${names}, head.before + ${place} FROM head, ${rows}`;

const appendInput = appendFrom(input, 'place');
const appendCollected = appendFrom('collected_events', 'collected_events.sequence');

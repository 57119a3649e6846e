/** The statements on many plants. Each is sent when its function is called, before it is awaited. */
import { getTableColumns } from 'drizzle-orm';
import { events, plants as table } from '../../db/postgres.ts';
import type { PlantRecord } from '../plants/plant.ts';
import { type Row, toPlant } from '../plants/row.ts';
import { isOnNode, partsOf } from './columns.ts';
import type { PostgresParameter } from './driver/driver.ts';
import type { Session, TransactionIds } from './session/session.ts';
import { toArray } from './session/sql.ts';

const all = getTableColumns(table);
const { id: key, ...others } = all;
const { createdAt: _, updatedAt: __, ...members } = others;

export const columns = partsOf(all);
/** The columns of a plant that are in its events too. */
export const logged = partsOf({ id: key, ...members });
/** The same without the id, which has another name in `events`. */
export const memberNames = partsOf(members).names;

/** Finds the plants that exist, in no order. */
export const findPlants = (session: Session, ids: readonly bigint[]): Promise<PlantRecord[]> =>
  select(session, 'WHERE id = ANY($1::int8[])', toArray(ids));

/** Finds the plants that exist, and locks them for the transaction. */
export const lockPlants = (session: Session, ids: readonly bigint[]): Promise<PlantRecord[]> =>
  select(session, 'WHERE id = ANY($1::int8[]) ORDER BY id FOR UPDATE', toArray(ids));

/** Reads a page by ascending id. */
export const readPlants = (
  session: Session,
  { from, limit, tag }: { readonly from: bigint; readonly limit: number; readonly tag?: string | undefined },
): Promise<PlantRecord[]> =>
  tag === undefined
    ? select(session, 'WHERE id >= $1 ORDER BY id LIMIT $2', from, limit)
    : select(session, 'WHERE id >= $1 AND tag = $3 ORDER BY id LIMIT $2', from, limit, tag);

const select = async ({ sql }: Session, rest: string, ...parameters: PostgresParameter[]): Promise<PlantRecord[]> => {
  const rows = await sql.query<Row<PlantRecord>>(`SELECT ${columns.fields} FROM plants ${rest}`, parameters);
  return rows.map(toPlant);
};

/** A plant to create, and the `traceparent` of the request for it. */
export interface Creation {
  readonly record: PlantRecord;
  readonly traceparent: string | undefined;
}

/**
 * Creates the plants whose id is free, with their events: a whole transaction in one statement, see `session/writer.ts`. Returns the ids, and
 * the sequence of the newest event.
 * Joining the given plants with the table would make PostgreSQL read all of it.
 */
export const createPlants = async (
  { sql }: Session,
  creations: readonly Creation[],
  { id, earlierId }: TransactionIds,
): Promise<{ ids: ReadonlySet<bigint>; head: bigint }> => {
  const rows = creations.map(({ record, traceparent }) => ({ ...record, traceparent }));
  const created = await sql.values<[bigint, bigint | null]>(createStatement, [
    id,
    new Date().toISOString(),
    earlierId,
    ...traced.toParameters(rows),
  ]);
  return { ids: new Set(created.flatMap(([, one]) => one ?? [])), head: created[0]?.[0] ?? 0n };
};

const traced = partsOf({ ...all, traceparent: events.traceparent });

const createStatement = `
  WITH batch AS (
    INSERT INTO transactions (id, is_fence, created_at) VALUES ($1, false, $2)
  ), earlier AS (
    DELETE FROM transactions WHERE id = $3 AND NOT is_fence
  ), input AS (
    SELECT * FROM ${traced.unnest(4)} WITH ORDINALITY AS input (${traced.names}, place)
  ), created AS (
    INSERT INTO plants (${columns.names}) SELECT ${columns.names} FROM input ORDER BY id
    ON CONFLICT (id) DO NOTHING RETURNING id
  ), head AS (
    UPDATE log_head SET sequence = sequence + (SELECT count(*) FROM created)
    RETURNING sequence, sequence - (SELECT count(*) FROM created) AS before
  ), appended AS (
    INSERT INTO events (sequence, type, timestamp, plant_id, ${memberNames}, traceparent)
    SELECT head.before + row_number() OVER (ORDER BY place), 'plant.created', created_at, id, ${memberNames}, traceparent
    FROM head, input JOIN created USING (id)
  )
  SELECT head.sequence, created.id FROM head LEFT JOIN created ON true`;

/** An array for each column of a plant. */
export type PlantArrays = ReturnType<typeof columns.toArrays>;

/** Inserts plants. Rejects with an error for which `isTaken` is true if one of the ids is taken. Detecting this by an error is the fastest way. */
export const insertPlants = ({ sql }: Session, plants: PlantArrays): Promise<unknown> =>
  sql.query(`${insertStatement} ORDER BY id`, columns.pick(plants));

const insertStatement = `
  INSERT INTO plants (${columns.names})
  SELECT * FROM ${columns.unnest(1)} AS input (${columns.names}) WHERE ${isOnNode}`;

/** Replaces plants that are locked. An insert with a conflict finds them by their ids, which a join would not. */
export const replacePlants = ({ sql }: Session, plants: readonly PlantRecord[]): Promise<unknown> =>
  sql.query(replaceStatement, columns.toParameters(plants));

const replaceStatement = `${insertStatement} ON CONFLICT (id) DO UPDATE SET ${partsOf(others).excluded}`;

/** Removes plants that this transaction has locked or inserted. */
export const removePlants = ({ sql }: Session, ids: readonly bigint[]): Promise<unknown> =>
  sql`DELETE FROM plants WHERE id = ANY(${toArray(ids)}::int8[])`;

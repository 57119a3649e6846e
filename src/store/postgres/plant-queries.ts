/** The statements on many plants. Each is sent when its function is called, before it is awaited. */
import type { SQL } from 'bun';
import type { PlantRecord } from '../../domain/plant.ts';
import { type PlantValues, toPlant, toPlantRow } from '../rows/plant.ts';
import type { Client } from './client.ts';
import { toArrays } from './columns.ts';

/** Finds the plants that exist, in no order. */
export const findPlants = async ({ sql }: Client, ids: readonly bigint[]): Promise<PlantRecord[]> =>
  toPlants(
    await sql`SELECT id, name, tag, created_at, updated_at FROM plants WHERE id = ANY(${sql.array([...ids], 'int8')})`.values(),
  );

/** Finds the plants that exist, and locks them for the transaction. */
export const lockPlants = async ({ sql }: Client, ids: readonly bigint[]): Promise<PlantRecord[]> =>
  toPlants(
    await sql`SELECT id, name, tag, created_at, updated_at FROM plants WHERE id = ANY(${sql.array([...ids], 'int8')})
      ORDER BY id FOR UPDATE`.values(),
  );

/** Reads a page by ascending id. */
export const readPlants = async (
  { sql }: Client,
  { from, limit, tag }: { readonly from: bigint; readonly limit: number; readonly tag?: string | undefined },
): Promise<PlantRecord[]> =>
  toPlants(
    tag === undefined
      ? await sql`SELECT id, name, tag, created_at, updated_at FROM plants
          WHERE id >= ${from} ORDER BY id LIMIT ${limit}`.values()
      : await sql`SELECT id, name, tag, created_at, updated_at FROM plants
          WHERE tag = ${tag} AND id >= ${from} ORDER BY id LIMIT ${limit}`.values(),
  );

/** A plant to create, and the `traceparent` of the request for it. */
export interface Creation {
  readonly record: PlantRecord;
  readonly traceparent: string | undefined;
}

/**
 * Creates the plants whose id is free, with their events, and returns their ids: a whole transaction in one statement, see `writer.ts`.
 * Joining the given plants with the table would make PostgreSQL read all of it.
 */
export const createPlants = async (
  { sql }: Client,
  creations: readonly Creation[],
  { id, earlierId }: { readonly id: string; readonly earlierId: string },
): Promise<ReadonlySet<bigint>> => {
  const arrays = toPlantArrays(
    sql,
    creations.map(({ record }) => record),
  );
  const traceparents = sql.array(
    creations.map(({ traceparent }) => traceparent ?? null),
    'text',
  );
  const rows: [bigint][] = await sql`
    WITH batch AS (
      INSERT INTO batches (id, is_fence, created_at) VALUES (${id}, false, ${new Date().toISOString()})
    ), earlier AS (
      DELETE FROM batches WHERE id = ${earlierId} AND NOT is_fence
    ), input AS (
      SELECT * FROM unnest(${arrays.id}, ${arrays.name}, ${arrays.tag}, ${arrays.createdAt}, ${arrays.updatedAt}, ${traceparents})
        WITH ORDINALITY AS input (id, name, tag, created_at, updated_at, traceparent, place)
    ), created AS (
      INSERT INTO plants (id, name, tag, created_at, updated_at)
      SELECT id, name, tag, created_at, updated_at FROM input ORDER BY id
      ON CONFLICT (id) DO NOTHING RETURNING id
    ), head AS (
      UPDATE log_head SET sequence = sequence + (SELECT count(*) FROM created)
      RETURNING sequence - (SELECT count(*) FROM created) AS before
    ), appended AS (
      INSERT INTO events (sequence, type, timestamp, plant_id, name, tag, traceparent)
      SELECT head.before + row_number() OVER (ORDER BY place), 'plant.created', created_at, id, name, tag, traceparent
      FROM head, input JOIN created USING (id)
    )
    SELECT id FROM created`.values();
  return new Set(rows.map(([created]) => created));
};

/** Inserts the plants whose id is free, and returns their number. */
export const insertPlants = async ({ sql }: Client, plants: readonly PlantRecord[]): Promise<number> => {
  const arrays = toPlantArrays(sql, plants);
  const inserted = await sql`
    INSERT INTO plants (id, name, tag, created_at, updated_at)
    SELECT * FROM unnest(${arrays.id}, ${arrays.name}, ${arrays.tag}, ${arrays.createdAt}, ${arrays.updatedAt}) AS input (id) ORDER BY id
    ON CONFLICT (id) DO NOTHING`;
  return inserted.count;
};

/** Replaces plants that are locked. An insert with a conflict finds them by their ids, which a join would not. */
export const replacePlants = ({ sql }: Client, plants: readonly PlantRecord[]): Promise<unknown> => {
  const arrays = toPlantArrays(sql, plants);
  return sql`
    INSERT INTO plants (id, name, tag, created_at, updated_at)
    SELECT * FROM unnest(${arrays.id}, ${arrays.name}, ${arrays.tag}, ${arrays.createdAt}, ${arrays.updatedAt})
    ON CONFLICT (id) DO UPDATE SET name = excluded.name, tag = excluded.tag,
      created_at = excluded.created_at, updated_at = excluded.updated_at`.execute();
};

/** Removes plants that this transaction has locked or inserted. */
export const removePlants = ({ sql }: Client, ids: readonly bigint[]): Promise<unknown> =>
  sql`DELETE FROM plants WHERE id = ANY(${sql.array([...ids], 'int8')})`.execute();

const toPlants = (rows: PlantValues[]): PlantRecord[] => rows.map(toPlant);

/** Plants as an array for each column. */
export const toPlantArrays = (sql: SQL, plants: readonly PlantRecord[]) =>
  toArrays(
    sql,
    { id: 'int8', name: 'text', tag: 'text', createdAt: 'text', updatedAt: 'text' },
    plants.map(toPlantRow),
  );

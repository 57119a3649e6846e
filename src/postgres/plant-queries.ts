/** The statements on many plants. Each is sent when its function is called, before it is awaited. */
import { asc, getTableColumns, gte, sql } from 'drizzle-orm';
import type { PlantRecord } from '../plants/plant.ts';
import { toPlant, toPlantRow } from '../plants/row.ts';
import { plants } from './db/tables.ts';
import { toArray } from './session/array.ts';
import type { Session, TransactionIds } from './session/session.ts';
import { builder, isAmong, isOnNode, manyRows, prepare, valuesOf } from './session/statement.ts';
import { createWithEvents, tracedPlants } from './sql-statements.ts';

const columns = getTableColumns(plants);
const { id, ...others } = columns;
/** No plant is created with a picture. */
const { picture: _, ...created } = columns;

const { input, toArrays } = manyRows(created);
const all = manyRows(columns);

export { toArrays };
/** An array for each column of a plant. */
export type PlantArrays = ReturnType<typeof toArrays>;

const select = () => builder.select().from(plants);
const isOneOf = isAmong(id, 'ids');

const find = prepare<{ ids: string }>()(select().where(isOneOf));
const lock = prepare<{ ids: string }>()(select().where(isOneOf).orderBy(asc(id)).for('update'));

/** Finds the plants that exist, in no order. */
export const findPlants = async (session: Session, ids: readonly bigint[]): Promise<PlantRecord[]> =>
  (await find(session, { ids: toArray(ids) })).map(toPlant);

/** Finds the plants that exist, and locks them for the transaction. */
export const lockPlants = async (session: Session, ids: readonly bigint[]): Promise<PlantRecord[]> =>
  (await lock(session, { ids: toArray(ids) })).map(toPlant);

const page = prepare<{ from: bigint; limit: number }>()(
  select()
    .where(gte(id, sql.placeholder('from')))
    .orderBy(asc(id))
    .limit(sql.placeholder('limit')),
);

/** Reads plants by ascending id, from this id on. */
export const readPlants = async (session: Session, from: bigint, limit: number): Promise<PlantRecord[]> =>
  (await page(session, { from, limit })).map(toPlant);

const countAll = prepare()(builder.select({ total: sql<bigint>`count(*)` }).from(plants));

export const countPlants = async (session: Session): Promise<number> => Number((await countAll(session))[0]?.total);

/** A plant to create, and the `traceparent` of the request for it. */
interface Creation {
  readonly record: PlantRecord;
  readonly traceparent: string | undefined;
}

/**
 * Creates the plants whose id is free, with their events: a whole transaction in one statement, see `session/writer.ts`. Returns the ids, and
 * the sequence of the newest event.
 */
export const createPlants = async (
  session: Session,
  creations: readonly Creation[],
  { id, earlierId }: TransactionIds,
): Promise<{ ids: ReadonlySet<bigint>; head: bigint }> => {
  const rows = creations.map(({ record, traceparent }) => ({ ...record, traceparent }));
  const transaction = { transaction: id, earlier: earlierId, now: new Date().toISOString() };
  const created = await createWithEvents(session, { ...transaction, ...tracedPlants.toArrays(rows) });
  return { ids: new Set(created.flatMap((row) => row.id ?? [])), head: created[0]?.sequence ?? 0n };
};

const insert = prepare<PlantArrays>()(
  builder.insert(plants).select(sql`SELECT *, NULL FROM ${input} WHERE ${isOnNode} ORDER BY id`),
);
const replace = prepare<ReturnType<typeof all.toArrays>>()(
  builder
    .insert(plants)
    .select(sql`SELECT * FROM ${all.input} WHERE ${isOnNode}`)
    .onConflictDoUpdate({ target: id, set: valuesOf('excluded', others) }),
);
const remove = prepare<{ ids: string }>()(builder.delete(plants).where(isOneOf));

/** Inserts plants. Rejects with an error for which `isTaken` is true if one of the ids is taken. Detecting this by an error is the fastest way. */
export const insertPlants = (session: Session, arrays: PlantArrays): Promise<unknown> => insert(session, arrays);

/** Replaces plants that are locked. An insert with a conflict finds them by their ids, which a join would not. */
export const replacePlants = (session: Session, records: readonly PlantRecord[]): Promise<unknown> =>
  replace(session, all.toArrays(records.map(toPlantRow)));

/** Removes plants that this transaction has locked or inserted. */
export const removePlants = (session: Session, ids: readonly bigint[]): Promise<unknown> =>
  remove(session, { ids: toArray(ids) });

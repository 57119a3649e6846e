import { asc, eq, getTableColumns, gte, sql } from 'drizzle-orm';
import { plants } from '../../db/sqlite.ts';
import { lazy } from '../base/lazy.ts';
import { currentTrace } from '../base/trace-context.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { isTakenKey } from '../sqlite/errors.ts';
import { manyRows } from '../sqlite/many-rows.ts';
import { drizzle, withValues } from '../sqlite/session.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { placeholdersOf } from '../storage/columns.ts';
import type { PlantEvent } from './plant.ts';
import { applyCreate, applyDelete, applyUpdate, type PlantRecord, repeatCreate } from './plant.ts';
import { type PlantRow, toPlant, toPlantRow } from './row.ts';
import { createPlantLists } from './sqlite-lists.ts';
import type { PlantStore } from './store.ts';

/** Appends the event of a change to the log, in the transaction of the change. */
export type AppendEvent = (event: PlantEvent, traceparent?: string) => void;

/** What a change of a plant does besides, in its transaction. */
export interface Consequences {
  readonly append: AppendEvent;
  /** Removes the picture of a plant. */
  readonly removePicture: (plantId: bigint) => void;
}

/** Works on single plants and pages. The rest of the store is in `sqlite-in-bulk.ts`. */
export const createPlantStore = (
  { client, read, transact, now }: Transactions,
  { append, removePicture }: Consequences,
): Omit<PlantStore, 'putAll' | 'scan'> => {
  const queries = preparePlantQueries(client);
  const lists = createPlantLists(client);

  const find = (id: bigint): PlantRecord | undefined => queries.byId().all({ id }).map(toPlant)[0];

  /** Returns whether the id was free. */
  const insert = (record: PlantRecord): boolean => {
    try {
      queries.insert().run(toPlantRow(record));
      return true;
    } catch (error) {
      if (isTakenKey(error)) return false;
      throw error;
    }
  };

  /** Commits the change of `apply` with its event. */
  const commitChange = <Kept>(apply: () => Applied<Kept>): Promise<Kept> =>
    transact(
      (write) => {
        const { record, event } = apply();
        if (event) append(event, write.traceparent);
        write.eventType = event?.type;
        return record;
      },
      'event',
      currentTrace(),
    );

  return {
    create: (plant) =>
      commitChange(() => {
        const created = applyCreate(plant, now());
        return insert(created.record) ? created : { record: repeatCreate(find(plant.id), plant) };
      }),
    get: (id) => read(() => find(id)),
    list: (page) => read(() => lists.list(page)),
    find: (page) => read(() => lists.find(page)),
    countUpTo: (limit, tags) => read(() => lists.countUpTo(limit, tags)),
    update: (id, patch, versions) =>
      commitChange(() => {
        const updated = applyUpdate(find(id), patch, versions, now());
        if (updated.event) queries.replace().run(toPlantRow(updated.record));
        return updated;
      }),
    delete: (id, versions) =>
      commitChange(() => {
        const existing = find(id);
        const event = applyDelete(existing, versions, now());
        queries.remove().run({ id });
        if (existing?.picture) removePicture(id);
        return { record: undefined, event };
      }),
    count: () => read(() => Number(queries.count().get()?.total)),
  };
};

/** The plant after a change, and its event unless nothing changes. */
interface Applied<Kept> {
  readonly record: Kept;
  readonly event?: PlantEvent;
}

/** Statements on plants, each prepared once for a client. */
export const preparePlantQueries = (client: SqliteClient) => {
  const db = drizzle(client);
  const from = gte(plants.id, sql.placeholder('from'));
  const isId = eq(plants.id, sql.placeholder('id'));
  const limit = sql.placeholder('limit');
  const columns = getTableColumns(plants);
  const { id, ...others } = columns;
  const many = manyRows(plants, { picture: sql`NULL` });
  const insertMany = withValues<{ rows: string }>()(() =>
    db.insert(plants).select(many.select).onConflictDoNothing().returning({ id }).prepare(),
  );
  return {
    byId: withValues<{ id: bigint }>()(() => db.select().from(plants).where(isId).prepare()),
    page: withValues<{ from: bigint; limit: number }>()(() =>
      db.select().from(plants).where(from).orderBy(asc(id)).limit(limit).prepare(),
    ),
    /** Throws for an id that is taken. A query before, or of the inserted rows, would double the cost. */
    insert: withValues<PlantRow>()(() => db.insert(plants).values(placeholdersOf(columns)).prepare()),
    /** Inserts many plants, and returns the ids that were free. */
    insertFree: (records: readonly PlantRecord[]): bigint[] =>
      insertMany()
        .all({ rows: many.encode(records) })
        .map((inserted) => inserted.id),
    replace: withValues<PlantRow>()(() => db.update(plants).set(placeholdersOf(others)).where(isId).prepare()),
    remove: withValues<{ id: bigint }>()(() => db.delete(plants).where(isId).prepare()),
    count: lazy(() => db.select({ total: sql<bigint>`count(*)` }).from(plants).prepare()),
  };
};

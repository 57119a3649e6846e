import { and, asc, between, type Column, eq, getTableColumns, gte, type SQL, sql } from 'drizzle-orm';
import { plants } from '../../db/sqlite.ts';
import { int64Max } from '../base/int64.ts';
import { lazy } from '../base/lazy.ts';
import { emptyPage, type JsonPage } from '../base/page.ts';
import { currentTrace } from '../base/trace-context.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { isTakenKey } from '../sqlite/errors.ts';
import { drizzle, withValues } from '../sqlite/session.ts';
import { manyRows } from '../sqlite/statement.ts';
import type { Transactions } from '../sqlite/transactions.ts';
import { placeholdersOf } from '../storage/columns.ts';
import { type PlantPlace, placeIn, startAfter } from './order.ts';
import type { PlantEvent } from './plant.ts';
import { applyCreate, applyDelete, applyUpdate, type PlantRecord, repeatCreate } from './plant.ts';
import { type PlantRow, toPlant, toPlantRow } from './row.ts';
import { createPlantLists } from './sqlite-list.ts';
import type { PlantPage, PlantStore } from './store.ts';

/** Appends the event of a change to the log, in the transaction of the change. */
export type AppendEvent = (event: PlantEvent, traceparent?: string) => void;

/** Works on single plants and pages. The rest of the store is in `sqlite-in-bulk.ts`. */
export const createPlantStore = (
  { client, read, commit, now }: Transactions,
  append: AppendEvent,
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
    commit(
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
    list: (page) => read(() => (isSimple(page) ? listPlants(queries.list, page) : lists.list(page))),
    countUpTo: (limit, tags) => read(() => lists.countUpTo(limit, tags)),
    update: (id, patch, versions) =>
      commitChange(() => {
        const updated = applyUpdate(find(id), patch, versions, now());
        if (updated.event) queries.replace().run(toPlantRow(updated.record));
        return updated;
      }),
    delete: (id, versions) =>
      commitChange(() => {
        const event = applyDelete(find(id), versions, now());
        queries.remove().run({ id });
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
  const many = manyRows(plants);
  const insertMany = withValues<{ rows: string }>()(() =>
    db.insert(plants).select(many.select).onConflictDoNothing().returning({ id }).prepare(),
  );
  return {
    byId: withValues<{ id: bigint }>()(() => db.select().from(plants).where(isId).prepare()),
    page: withValues<{ from: bigint; limit: number }>()(() =>
      db.select().from(plants).where(from).orderBy(asc(id)).limit(limit).prepare(),
    ),
    list: { all: prepareList(client), tagged: prepareList(client, eq(plants.tag, sql.placeholder('tag'))) },
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

/**
 * Reads at most `limit` plants by ascending id. SQLite writes the page as JSON, at a third of the cost of an object for each row. One
 * statement finds the end of the page, so the other one needs no LIMIT, for which SQLite would copy each row. As a BLOB the
 * JSON stays UTF-8: a text would become a string, and UTF-8 again in the response.
 */
const listPlants = (
  { all, tagged }: ReturnType<typeof preparePlantQueries>['list'],
  { limit, after, tags: [tag] = [] }: PlantPage,
): JsonPage<PlantPlace> => {
  const start = startAfter('id', after);
  if (!start) return emptyPage;
  const { ids, array } = tag === undefined ? all : tagged;
  const place = { ...(tag !== undefined && { tag }), from: start.id };
  const [last, next] = ids().all({ ...place, limit: 2, offset: limit - 1 });
  const [page = emptyPage] = array().all({ ...place, last: last?.id ?? int64Max });
  return last && next ? { ...page, end: placeIn('id', { ...last, createdAt: '' }) } : page;
};

/** Whether it is a list by ascending id, perhaps with one tag: most are. */
const isSimple = ({ order = 'id', tags = [], name = '' }: PlantPage): boolean =>
  order === 'id' && tags.length < 2 && name === '';

type From = { readonly tag?: string; readonly from: bigint };

const prepareList = (client: SqliteClient, isListed?: SQL) => {
  const db = drizzle(client);
  const from = sql.placeholder('from');
  return {
    /** The ids of some plants. Those of a page are its last one and the one after it. */
    ids: withValues<From & { limit: number; offset: number }>()(() =>
      db
        .select({ id: plants.id })
        .from(plants)
        .where(and(isListed, gte(plants.id, from)))
        .orderBy(asc(plants.id))
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset'))
        .prepare(),
    ),
    /** The plants up to the last. SQLite reads them in the order of the index, which ends with the id. */
    array: withValues<From & { last: bigint }>()(() =>
      db
        .select({ json: sql<Uint8Array<ArrayBuffer>>`CAST(json_group_array(${plant()}) AS BLOB)` })
        .from(plants)
        .where(and(isListed, between(plants.id, from, sql.placeholder('last'))))
        .prepare(),
    ),
  };
};

/**
 * As `plantToJson` has it. SQLite escapes the same characters as `JSON.stringify`, in the same way. It writes a null member, so there is
 * an object for each set of members with a value, which is faster than to remove nulls.
 */
const objectOf = ([next, ...others]: [string, Column][], members: SQL[] = []): SQL => {
  if (!next) return sql`json_object(${sql.join(members, sql`, `)})`;
  const [name, column] = next;
  const complete = objectOf(others, [...members, sql`${sql.raw(`'${name}'`)}, ${column}`]);
  return column.notNull ? complete : sql`iif(${column} IS NULL, ${objectOf(others, members)}, ${complete})`;
};

const plant = lazy(() => objectOf(Object.entries(getTableColumns(plants))));

import { and, asc, between, type Column, count, eq, getTableColumns, gte, type SQL, sql } from 'drizzle-orm';
import { plants } from '../../../db/sqlite.ts';
import { int64Max, int64Min } from '../../base/int64.ts';
import { emptyPage, type JsonPage } from '../../base/page.ts';
import type { PlantEvent } from '../../domain/event.ts';
import { applyCreate, applyDelete, applyUpdate, type PlantRecord, repeatCreate } from '../../domain/plant.ts';
import { type Row, toPlant, toPlantRow } from '../rows/plant.ts';
import type { PlantPage, PlantStore } from '../store.ts';
import type { Connection } from './connection.ts';
import { isTakenKey } from './errors.ts';
import type { EventQueries } from './events.ts';
import {
  type DirectStatement,
  type DrizzleClient,
  fieldsOf,
  manyRows,
  placeholdersOf,
  prepareDirect,
} from './statement.ts';

/** Works on single plants and pages. The rest of the store is in `plants-in-bulk.ts`. */
export const createPlantStore = (
  { db, read, commit, announce, observer, now }: Connection,
  events: EventQueries,
): Omit<PlantStore, 'putAll' | 'scan'> => {
  const queries = preparePlantQueries(db);

  const find = (id: bigint): PlantRecord | undefined => findPlants(queries.byId, { id })[0];

  /** Returns whether the id was free. */
  const insert = (record: PlantRecord): boolean => {
    try {
      queries.insert.run(toPlantRow(record));
      return true;
    } catch (error) {
      if (isTakenKey(error)) return false;
      throw error;
    }
  };

  /** Commits the change of `apply` with its event, and then announces it. */
  const change = async <Kept>(traceparent: string | undefined, apply: () => Applied<Kept>): Promise<Kept> => {
    const { record, event } = await commit(() => {
      const applied = apply();
      if (applied.event) events.append(applied.event, traceparent);
      return applied;
    }, traceparent);
    if (event) observer.onEvents?.(event.type, 1);
    announce('event');
    return record;
  };

  return {
    create: (plant, traceparent) =>
      change(traceparent, () => {
        const created = applyCreate(plant, now());
        return insert(created.record) ? created : { record: repeatCreate(find(plant.id), plant) };
      }),
    get: (id) => read(() => find(id)),
    list: async (page) => {
      const { after } = page;
      if (after === int64Max) return emptyPage;
      const from = after === undefined ? int64Min : after + 1n;
      return read(() => listPlants(queries.list, from, page));
    },
    update: (id, patch, versions, traceparent) =>
      change(traceparent, () => {
        const updated = applyUpdate(find(id), patch, versions, now());
        if (updated.event) queries.replace.run(toPlantRow(updated.record));
        return updated;
      }),
    delete: (id, versions, traceparent) =>
      change(traceparent, () => {
        const event = applyDelete(find(id), versions, now());
        queries.remove.run({ id });
        return { record: undefined, event };
      }),
    count: () => read(() => db.select({ total: count() }).from(plants).get()?.total ?? 0),
  };
};

/** The plant after a change, and its event unless nothing changes. */
interface Applied<Kept> {
  readonly record: Kept;
  readonly event?: PlantEvent;
}

/** Statements on plants, each prepared once for a client. */
export const preparePlantQueries = (db: DrizzleClient) => {
  const from = gte(plants.id, sql.placeholder('from'));
  const isId = eq(plants.id, sql.placeholder('id'));
  const limit = sql.placeholder('limit');
  const columns = getTableColumns(plants);
  const { id, ...others } = columns;
  const select = () => db.select(fieldsOf(columns)).from(plants);
  const many = manyRows(plants);
  const insertMany = db.insert(plants).select(many.select).onConflictDoNothing().returning({ id }).prepare();
  return {
    byId: prepareDirect<{ id: bigint }, PlantRow>(db, select().where(isId)),
    page: prepareDirect<{ from: bigint; limit: number }, PlantRow>(
      db,
      select().where(from).orderBy(asc(plants.id)).limit(limit),
    ),
    list: preparePlantListQueries(db),
    /** Throws for an id that is taken. A query before, or of the inserted rows, would double the cost. */
    insert: prepareDirect<PlantRow>(db, db.insert(plants).values(placeholdersOf(columns))),
    /** Inserts many plants, and returns the ids that were free. */
    insertFree: (records: readonly PlantRecord[]): bigint[] =>
      insertMany.all({ rows: many.encode(records) }).map((inserted) => inserted.id),
    replace: db.update(plants).set(placeholdersOf(others)).where(isId).prepare(),
    remove: db.delete(plants).where(isId).prepare(),
  };
};

type PlantRow = Row<PlantRecord>;

/** The plants that a select of whole plants finds. */
export const findPlants = <Values extends object>(
  select: DirectStatement<Values, PlantRow>,
  values: Values,
): PlantRecord[] => select.all(values).map(toPlant);

/**
 * Reads at most `limit` plants, starting at an id. SQLite writes the page as JSON, at a third of the cost of an object for each row. One
 * statement finds the end of the page, so the other one needs no LIMIT, for which SQLite would copy each row. As a BLOB the
 * JSON stays UTF-8: a text would become a string, and UTF-8 again in the response.
 */
const listPlants = ({ all, tagged }: PlantListQueries, from: bigint, { limit, tag }: PlantPage): JsonPage<bigint> => {
  const { ids, array } = tag === undefined ? all : tagged;
  const tags = tag === undefined ? {} : { tag };
  const [last, next] = ids.all({ ...tags, from, limit: 2, offset: limit - 1 });
  const [page = emptyPage] = array.all({ ...tags, from, last: last?.id ?? int64Max });
  return last && next ? { ...page, end: last.id } : page;
};

type PlantListQueries = ReturnType<typeof preparePlantListQueries>;

const preparePlantListQueries = (db: DrizzleClient) => ({
  all: prepare(db),
  tagged: prepare(db, eq(plants.tag, sql.placeholder('tag'))),
});

type From = { readonly tag?: string; readonly from: bigint };

const prepare = (db: DrizzleClient, isListed?: SQL) => {
  const from = sql.placeholder('from');
  return {
    /** The ids of some plants. Those of a page are its last one and the one after it. */
    ids: prepareDirect<From & { limit: number; offset: number }, { id: bigint }>(
      db,
      db
        .select({ id: plants.id })
        .from(plants)
        .where(and(isListed, gte(plants.id, from)))
        .orderBy(asc(plants.id))
        .limit(sql.placeholder('limit'))
        .offset(sql.placeholder('offset')),
    ),
    /** The plants up to the last. SQLite reads them in the order of the index, which ends with the id. */
    array: prepareDirect<From & { last: bigint }, JsonPage<bigint>>(
      db,
      db
        .select({ json: sql`CAST(json_group_array(${plant}) AS BLOB)`.as('json') })
        .from(plants)
        .where(and(isListed, between(plants.id, from, sql.placeholder('last')))),
    ),
  };
};

/**
 * As `plantToJson` has it. SQLite escapes the same characters as `JSON.stringify`, in the same way. It writes a null member, so there is
 * an object for each set of present members, which is faster than to remove nulls.
 */
const objectOf = ([next, ...others]: [string, Column][], members: SQL[] = []): SQL => {
  if (!next) return sql`json_object(${sql.join(members, sql`, `)})`;
  const [name, column] = next;
  const present = objectOf(others, [...members, sql`${sql.raw(`'${name}'`)}, ${column}`]);
  return column.notNull ? present : sql`iif(${column} IS NULL, ${objectOf(others, members)}, ${present})`;
};

const plant = objectOf(Object.entries(getTableColumns(plants)));

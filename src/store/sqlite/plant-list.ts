/**
 * A page of plants that SQLite writes as JSON, at a third of the cost of an object for each row. One statement finds the
 * end of the page, so the other one needs no LIMIT, for which SQLite would copy each row. As a BLOB the JSON stays UTF-8: a text would
 * become a string, and UTF-8 again in the response.
 */
import { and, asc, between, type Column, eq, getTableColumns, gte, type SQL, sql } from 'drizzle-orm';
import { plants } from '../../../db/sqlite.ts';
import { int64Max } from '../../base/int64.ts';
import { emptyPage, type JsonPage } from '../../base/json-page.ts';
import { type DrizzleClient, prepareDirect } from './statement.ts';

export interface PlantRange {
  readonly from: bigint;
  readonly limit: number;
  /** Only plants with exactly this tag. */
  readonly tag: string | undefined;
}

/** Reads at most `limit` plants by ascending id. */
export const listPlants = ({ all, tagged }: PlantListQueries, { from, limit, tag }: PlantRange): JsonPage<bigint> => {
  const { ids, array } = tag === undefined ? all : tagged;
  const tags = tag === undefined ? {} : { tag };
  const [last, next] = ids.all({ ...tags, from, limit: 2, offset: limit - 1 });
  const [page = emptyPage] = array.all({ ...tags, from, last: last?.id ?? int64Max });
  return last && next ? { ...page, end: last.id } : page;
};

export type PlantListQueries = ReturnType<typeof preparePlantListQueries>;

export const preparePlantListQueries = (db: DrizzleClient) => ({
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

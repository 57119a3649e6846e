/**
 * A page of plants that SQLite writes as JSON, at a third of the cost of an object for each row. One statement finds the
 * end of the page, so the other one needs no LIMIT, for which SQLite would copy each row.
 */
import { and, asc, between, eq, gte, type SQL, sql } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { plants } from '../../../db/sqlite.ts';
import { int64Max } from '../../base/int64.ts';
import type { JsonPage } from '../../base/json-page.ts';

export interface PlantRange {
  readonly from: bigint;
  readonly limit: number;
  /** Only plants with exactly this tag. */
  readonly tag: string | undefined;
}

/** Reads at most `limit` plants by ascending id. */
export const listPlants = ({ all, tagged }: PlantListQueries, { from, limit, tag }: PlantRange): JsonPage<bigint> => {
  const { end, array } = tag === undefined ? all : tagged;
  const [last, next] = end.all({ from, tag, beforeLast: limit - 1 });
  const json = array.get({ from, tag, last: last?.id ?? int64Max })?.json ?? '[]';
  return last && next ? { json, end: last.id } : { json };
};

export type PlantListQueries = ReturnType<typeof preparePlantListQueries>;

export const preparePlantListQueries = (db: BunSQLiteDatabase) => ({
  all: prepare(db),
  tagged: prepare(db, eq(plants.tag, sql.placeholder('tag'))),
});

const prepare = (db: BunSQLiteDatabase, isListed?: SQL) => {
  const [from, last] = [sql.placeholder('from'), sql.placeholder('last')];
  return {
    /** The id of the last plant of a full page, and of the one after it. */
    end: db
      .select({ id: plants.id })
      .from(plants)
      .where(and(isListed, gte(plants.id, from)))
      .orderBy(asc(plants.id))
      .limit(2)
      .offset(sql.placeholder('beforeLast'))
      .prepare(),
    /** The plants up to the last. SQLite reads them in the order of the index, which ends with the id. */
    array: db
      .select({ json: sql<string>`json_group_array(${plant})` })
      .from(plants)
      .where(and(isListed, between(plants.id, from, last)))
      .prepare(),
  };
};

const { id, name, tag, createdAt, updatedAt } = plants;

/** As `plantToJson` has it. SQLite escapes the same characters as `JSON.stringify`, in the same way. */
const plant = sql`iif(${tag} IS NULL,
  json_object('id', ${id}, 'name', ${name}, 'createdAt', ${createdAt}, 'updatedAt', ${updatedAt}),
  json_object('id', ${id}, 'name', ${name}, 'tag', ${tag}, 'createdAt', ${createdAt}, 'updatedAt', ${updatedAt}))`;

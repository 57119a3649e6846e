import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { plants } from '../../db/sqlite.ts';
import { int64Max } from '../base/int64.ts';
import { lazy } from '../base/lazy.ts';
import { emptyPage, type JsonPage } from '../base/page.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { prepareSql } from '../sqlite/session.ts';
import { isByTime, type PlantPlace } from './order.ts';
import { byKind, filterCondition, type ListValues, listValues, namedColumns, tagSlots, wordsOf } from './page-sql.ts';
import {
  endOfPage,
  type FoundPlants,
  noPlants,
  type PageKind,
  type PagePlan,
  type PlantPage,
  planPage,
  scannedInStep,
  takePage,
  toPage,
} from './paging.ts';
import { type PlantRow, toPlant } from './row.ts';

/** Lists of plants in every order and with every filter. A statement is prepared when it first runs. */
export const createPlantLists = (client: SqliteClient) => {
  const statementsOf = byKind((kind) => prepareList(client, kind));

  const readRows = (page: PlantPage, plan: PagePlan): FoundPlants => {
    const { rows, edge } = statementsOf(plan);
    const values = listValues(page, plan);
    const found = rows().all({ ...values, limit: plan.limit + 1 });
    const scanned = () => edge().all({ ...values, offset: scannedInStep(plan.order) - 1 });
    return takePage(plan, found.map(toPlant), scanned);
  };

  const readJson = (page: PlantPage, plan: PagePlan): JsonPage<PlantPlace> => {
    const { edge, json } = statementsOf(plan);
    const values = listValues(page, plan);
    const listed = edge().all({ ...values, offset: plan.limit - 1 });
    const [written = emptyPage] = json().all({ ...values, last: listed[0]?.id ?? int64Max });
    return { ...written, end: endOfPage(plan, listed, () => []) };
  };

  return {
    /** In a transaction, so that both statements read the same plants. */
    find: (page: PlantPage): FoundPlants => {
      const plan = planPage(page);
      return plan ? readRows(page, plan) : noPlants;
    },
    /** In a transaction, as `find`. */
    list: (page: PlantPage): JsonPage<PlantPlace> => {
      const plan = planPage(page);
      if (!plan) return emptyPage;
      return isRange(plan) ? readJson(page, plan) : toPage(readRows(page, plan));
    },
    countUpTo: (limit: number, tags: readonly string[] = []): number => {
      const plan = planPage({ tags, limit });
      if (!plan) return 0;
      const values = { ...listValues({ tags }, plan), limit };
      return Number(statementsOf(plan).count().all(values)[0]?.total);
    },
  };
};

const columns = getTableColumns(plants);
const { id, tag, createdAt } = columns;

/** Whether a page is one range of an index, by ascending id: most are. */
const isRange = ({ order, tags, isFiltered }: PageKind): boolean => order === 'id' && tags < 2 && !isFiltered;

/** The plants that come after the place in `id` and `createdAt`, see `startAfter`. Each range is read in the order of an index. */
const rangesOf = ({ order, tags }: PageKind): SQL[] => {
  const { beyond } = wordsOf(order);
  const [place, time] = [sql.placeholder('id'), sql.placeholder('createdAt')];
  if (isByTime(order))
    return [sql`${createdAt} = ${time} AND ${id} ${beyond} ${place}`, sql`${createdAt} ${beyond} ${time}`];
  const isFrom = sql`${id} ${beyond}= ${place}`;
  if (tags === 0) return [isFrom];
  return tagSlots.slice(0, tags).map((slot) => sql`${tag} = ${sql.placeholder(slot)} AND ${isFrom}`);
};

/** Selects columns of the plants in these ranges. SQLite merges the ranges. */
const selectInOrder = (kind: PageKind, selected: Readonly<Record<string, Column>>): SQL => {
  const { direction } = wordsOf(kind.order);
  const all = rangesOf(kind).map((range) => sql`SELECT ${namedColumns(selected)} FROM ${plants} WHERE ${range}`);
  const by = isByTime(kind.order) ? sql`"createdAt" ${direction}, "id" ${direction}` : sql`"id" ${direction}`;
  return sql`${sql.join(all, sql` UNION ALL `)} ORDER BY ${by}`;
};

const prepareList = (client: SqliteClient, kind: PageKind) => {
  const all = selectInOrder(kind, columns);
  const keys = selectInOrder(kind, isByTime(kind.order) ? { id, createdAt } : { id });
  const limit = sql.placeholder('limit');
  const scanned = sql`SELECT * FROM (${all} LIMIT ${scannedInStep(kind.order)}) AS scanned WHERE ${filterCondition('instr')}`;
  const prepare = <Values, Row>(query: SQL) => lazy(() => prepareSql<ListValues & Values, Row>(client, query));
  return {
    rows: prepare<{ limit: number }, PlantRow>(sql`${kind.isFiltered ? scanned : all} LIMIT ${limit}`),
    /** The plant at an offset, and the one after it. */
    edge: prepare<{ offset: number }, PlantPlace>(sql`${keys} LIMIT 2 OFFSET ${sql.placeholder('offset')}`),
    /**
     * The plants up to the last, as JSON, which SQLite writes at a third of the cost of an object for each row. It has no LIMIT, for which
     * SQLite would copy each row. As a BLOB the JSON stays UTF-8: a text would become a string, and UTF-8 again in the response.
     */
    json: prepare<{ last: bigint }, JsonPage<never>>(
      sql`SELECT CAST(json_group_array(${plant()}) AS BLOB) AS json FROM ${plants}
        WHERE ${rangesOf(kind)[0]} AND ${id} <= ${sql.placeholder('last')}`,
    ),
    count: prepare<{ limit: number }, { total: bigint }>(
      sql`SELECT count(*) AS total FROM (${keys} LIMIT ${limit}) AS counted`,
    ),
  };
};

/**
 * As `plantToJson` has it. SQLite escapes the same characters as `JSON.stringify`, in the same way. It writes a null member, so there is
 * an object for each set of members with a value, which is faster than to remove nulls. Their number doubles with each optional member.
 * The columns of `json` have JSON.
 */
export const objectOfColumns = (columns: Readonly<Record<string, Column>>, json: readonly Column[] = []): SQL => {
  const all = Object.entries(columns).map(([name, column]) => ({
    name,
    column,
    value: json.includes(column) ? sql`json(${column})` : sql`${column}`,
  }));
  const optional = all.filter(({ column }) => !column.notNull).length;
  if (optional > optionalMax)
    throw new Error(`Of ${optional} optional members, json_patch('{}', …) must remove nulls.`);
  return objectOf(all);
};

/** With one more, the statement has twice as many objects: 16, of 2 KB. */
const optionalMax = 4;

const objectOf = ([next, ...others]: Member[], members: SQL[] = []): SQL => {
  if (!next) return sql`json_object(${sql.join(members, sql`, `)})`;
  const { name, column, value } = next;
  const complete = objectOf(others, [...members, sql`${sql.raw(`'${name}'`)}, ${value}`]);
  return column.notNull ? complete : sql`iif(${column} IS NULL, ${objectOf(others, members)}, ${complete})`;
};

interface Member {
  readonly name: string;
  readonly column: Column;
  readonly value: SQL;
}

const plant = lazy(() => objectOfColumns(columns, [columns.picture]));

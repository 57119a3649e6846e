import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { plants } from '../../db/sqlite.ts';
import { emptyPage, type JsonPage, toJsonPage } from '../base/page.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { prepareSql } from '../sqlite/statement.ts';
import { isByTime, kindOf, type PageKind, type PlantPlace, placeIn, scannedInStep, startAfter } from './order.ts';
import { filterValues, isListed, namedColumns, tagSlots, wordsOf } from './page-sql.ts';
import { type PlantRecord, plantToJson } from './plant.ts';
import { type Row, toPlant } from './row.ts';
import type { PlantPage } from './store.ts';

/** Lists of plants in every order and with every filter. The statements of a list are prepared when it is first read. */
export const createPlantLists = (client: SqliteClient) => {
  const prepared = new Map<string, ReturnType<typeof prepareList>>();
  const statementsOf = (kind: PageKind) => {
    const key = Object.values(kind).join();
    const statements = prepared.get(key) ?? prepareList(client, kind);
    prepared.set(key, statements);
    return statements;
  };

  return {
    /** In a transaction, so that both statements read the same plants. */
    list: (page: PlantPage): JsonPage<PlantPlace> => {
      const kind = kindOf(page);
      const start = startAfter(kind.order, page.after);
      if (!start) return emptyPage;
      const { rows, scanned } = statementsOf(kind);
      const values = { ...start, ...filterValues(page) };
      const listed = toJsonPage(rows.all({ ...values, limit: page.limit + 1 }).map(toPlant), page.limit, {
        toJson: (plant) => JSON.stringify(plantToJson(plant)),
        keyOf: (plant) => placeIn(kind.order, plant),
      });
      if (listed.end || !kind.isFiltered) return listed;
      const [last, next] = scanned.all(values);
      return last && next ? { ...listed, end: placeIn(kind.order, last) } : listed;
    },
    countUpTo: (limit: number, tags: readonly string[] = []): number => {
      const kind = kindOf({ tags });
      const values = { ...startAfter(kind.order, undefined), ...filterValues({ tags }), limit };
      return Number(statementsOf(kind).count.all(values)[0]?.total);
    },
  };
};

const columns = getTableColumns(plants);
const { id, tag, createdAt } = columns;

/**
 * Selects columns of the plants that come after the place in `id` and `createdAt`, see `startAfter`. SQLite merges the ranges of an index:
 * one for each tag, and for a time that of an equal time and that behind it.
 */
const selectInOrder = ({ order, tags }: PageKind, selected: Readonly<Record<string, Column>>): SQL => {
  const { beyond, direction } = wordsOf(order);
  const [place, time] = [sql.placeholder('id'), sql.placeholder('createdAt')];
  const merge = (ranges: SQL[]) =>
    sql.join(
      ranges.map((range) => sql`SELECT ${namedColumns(selected)} FROM ${plants} WHERE ${range}`),
      sql` UNION ALL `,
    );
  if (isByTime(order)) {
    const ranges = [sql`${createdAt} = ${time} AND ${id} ${beyond} ${place}`, sql`${createdAt} ${beyond} ${time}`];
    return sql`${merge(ranges)} ORDER BY "createdAt" ${direction}, "id" ${direction}`;
  }
  const isFrom = sql`${id} ${beyond}= ${place}`;
  const ofTags = tagSlots.slice(0, tags).map((slot) => sql`${tag} = ${sql.placeholder(slot)} AND ${isFrom}`);
  return sql`${merge(tags > 0 ? ofTags : [isFrom])} ORDER BY "id" ${direction}`;
};

const prepareList = (client: SqliteClient, kind: PageKind) => {
  const all = selectInOrder(kind, columns);
  const keys = selectInOrder(kind, { id, createdAt });
  const limit = sql.placeholder('limit');
  const most = scannedInStep(kind.order);
  const filtered = sql`SELECT * FROM (${all} LIMIT ${most}) AS scanned WHERE ${isListed()} LIMIT ${limit}`;
  return {
    rows: prepareSql<object, Row<PlantRecord>>(client, kind.isFiltered ? filtered : sql`${all} LIMIT ${limit}`),
    /** The last plant that a page looks at, and the one after it. */
    scanned: prepareSql<object, PlantPlace>(client, sql`${keys} LIMIT 2 OFFSET ${most - 1}`),
    count: prepareSql<object, { total: bigint }>(
      client,
      sql`SELECT count(*) AS total FROM (${keys} LIMIT ${limit}) AS counted`,
    ),
  };
};

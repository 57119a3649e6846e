import { type Column, getTableColumns, type SQL, sql } from 'drizzle-orm';
import { isByTime } from '../plants/order.ts';
import {
  byKind,
  filterCondition,
  joinByComma,
  type ListValues,
  listValues,
  namedColumns,
  tagSlots,
  wordsOf,
} from '../plants/page-sql.ts';
import {
  type FoundPlants,
  noPlants,
  type PageKind,
  type PlantPage,
  planPage,
  scannedInStep,
  takePage,
} from '../plants/paging.ts';
import type { PlantRecord } from '../plants/plant.ts';
import { type Row, toPlant } from '../plants/row.ts';
import { plants } from './db/tables.ts';
import type { Session } from './session/session.ts';
import { prepare } from './session/statement.ts';

/** Reads a page in any order and with any filter. */
export const findPlantPage = async (session: Session, page: PlantPage): Promise<FoundPlants> => {
  const plan = planPage(page);
  if (!plan) return noPlants;
  const { rows } = statementsOf(plan);
  const most = scannedInStep(plan.order);
  // Two more: the last plant that the page looks at, and the one after it.
  const limit = plan.limit + (plan.isFiltered ? 3 : 1);
  const found = await rows(session, { ...listValues(page, plan), limit });
  const listed = plan.isFiltered ? found.filter(({ isListed, seen }) => isListed && seen <= most) : found;
  return takePage(plan, listed.map(toPlant), () =>
    [most, most + 1].map((place) => found.find(({ seen }) => Number(seen) === place)),
  );
};

/** Counts the plants with one of these tags, or all, to `limit` at most. */
export const countPlantsUpTo = async (
  session: Session,
  limit: number,
  tags: readonly string[] = [],
): Promise<number> => {
  const plan = planPage({ tags, limit });
  if (!plan) return 0;
  const values = { ...listValues({ tags }, plan), limit };
  return Number((await statementsOf(plan).count(session, values))[0]?.total);
};

/** `seen` is the number of the row among those that the page looks at. */
type SeenRow = Row<PlantRecord> & { readonly isListed: boolean; readonly seen: bigint };

const columns = getTableColumns(plants);
const { id, tag, createdAt } = columns;

/**
 * Selects columns of at most `limit` plants that come after the place in `id` and `createdAt`, see `startAfter`. A tag is a range of its index:
 * with `tag = …`, PostgreSQL can read all plants of the tag to sort them. Of several tags, so many plants of each are sorted.
 */
const selectInOrder = ({ order, tags }: PageKind, limit: SQL, selected: Readonly<Record<string, Column>>): SQL => {
  const { beyond, before, direction } = wordsOf(order);
  const [place, time] = [sql.placeholder('id'), sql.placeholder('createdAt')];
  const select = (range: SQL, ...by: Column[]) => {
    const inOrder = by.map((column) => sql`${column} ${direction}`);
    return sql`SELECT ${namedColumns(selected)} FROM ${plants} WHERE ${range} ORDER BY ${joinByComma(inOrder)} LIMIT ${limit}`;
  };
  if (isByTime(order)) return select(sql`(${createdAt}, ${id}) ${beyond} (${time}, ${place})`, createdAt, id);
  const [first, ...others] = tagSlots.slice(0, tags).map((slot) => {
    const own = sql.placeholder(slot);
    return select(sql`(${tag}, ${id}) ${beyond}= (${own}, ${place}) AND ${tag} ${before}= ${own}`, tag, id);
  });
  if (!first) return select(sql`${id} ${beyond}= ${place}`, id);
  if (others.length === 0) return first;
  const all = [first, ...others].map((one) => sql`(${one})`);
  return sql`${sql.join(all, sql` UNION ALL `)} ORDER BY "id" ${direction} LIMIT ${limit}`;
};

const prepareList = (kind: PageKind) => {
  const limit = sql`${sql.placeholder('limit')}`;
  const most = scannedInStep(kind.order);
  const scanned = selectInOrder(kind, sql.raw(`${most + 1}`), columns);
  // One statement, since rows may be written between two. The numbers are in the order of the subquery, so nothing is sorted.
  const filtered = sql`
    SELECT * FROM (
      SELECT *, row_number() OVER () AS seen, ${filterCondition('strpos')} AS "isListed" FROM (${scanned}) AS scanned
    ) AS numbered WHERE "isListed" OR seen >= ${sql.raw(`${most}`)} LIMIT ${limit}`;
  return {
    rows: prepare<ListValues & { limit: number }>()(
      sql<SeenRow>`${kind.isFiltered ? filtered : selectInOrder(kind, limit, columns)}`,
    ),
    count: prepare<ListValues & { limit: number }>()(
      sql<{ total: number }>`SELECT count(*)::int AS total FROM (${selectInOrder(kind, limit, { id })}) AS counted`,
    ),
  };
};

const statementsOf = byKind(prepareList);

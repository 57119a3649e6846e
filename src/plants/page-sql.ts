/**
 * What the statements for pages of plants have in common on both engines. A page is read in its order by an index. A filter without an index
 * applies to the next plants of the order, of which only so many are read.
 */
import { type Column, type SQL, sql } from 'drizzle-orm';
import { lowerAscii } from '../base/text.ts';
import { isDescending, type PlantOrder, type PlantPlace } from './order.ts';
import { type Filters, type PageKind, type PagePlan, tagsMax } from './paging.ts';

/** The placeholders of tags. */
export const tagSlots = Array.from({ length: tagsMax }, (_, index) => `tag${index}`);

/** The values of the placeholders of a list. Its kind decides which of them there are. */
export type ListValues = PlantPlace & FilterValues;

type FilterValues = { readonly name?: string; readonly search?: string } & Readonly<
  Record<`tag${number}`, string | null>
>;

/** The values of a page. One without a filter has only those of its place and its tags. No plant has the tag NULL. */
export const listValues = (filters: Filters, { start, isFiltered }: PagePlan): ListValues => {
  const { tags = [], name = '', search = '' } = filters;
  if (!isFiltered) return { ...start, ...Object.fromEntries(tags.map((tag, index) => [`tag${index}`, tag])) };
  const ofTags = Object.fromEntries(tagSlots.map((slot, index) => [slot, tags[index] ?? null]));
  return { ...start, name, search: lowerAscii(search), ...ofTags };
};

/** Prepares the statements for a kind of page when one is first read. */
export const byKind = <Statements>(prepare: (kind: PageKind) => Statements): ((kind: PageKind) => Statements) => {
  const prepared = new Map<string, Statements>();
  return (kind) => {
    const key = `${kind.order} ${kind.tags} ${kind.isFiltered}`;
    const statements = prepared.get(key) ?? prepare(kind);
    prepared.set(key, statements);
    return statements;
  };
};

/**
 * The condition that a plant of a subquery fits the filters. Code points are compared, so no character of a name is a wildcard. `position` is the
 * function of the engine for the place of a text in another one. Its `lower` changes A to Z alone.
 */
export const filterCondition = (position: 'instr' | 'strpos'): SQL => {
  const [name, search] = [sql.placeholder('name'), sql.placeholder('search')];
  const tags = joinByComma(tagSlots.map((slot) => sql`${sql.placeholder(slot)}`));
  return sql`substr("name", 1, length(CAST(${name} AS text))) = ${name}
    AND (${search} = '' OR ${sql.raw(position)}(lower("name"), ${search}) > 0)
    AND (CAST(${sql.placeholder('tag0')} AS text) IS NULL OR "tag" IN (${tags}))`;
};

/** The columns by their names in the table's type. */
export const namedColumns = (columns: Readonly<Record<string, Column>>): SQL =>
  joinByComma(Object.entries(columns).map(([name, column]) => sql`${column} AS ${sql.identifier(name)}`));

/** The operator between a value and the place in the order that it comes after, and the direction of the order. */
export const wordsOf = (order: PlantOrder) =>
  isDescending(order)
    ? { beyond: sql.raw('<'), before: sql.raw('>'), direction: sql.raw('DESC') }
    : { beyond: sql.raw('>'), before: sql.raw('<'), direction: sql.raw('ASC') };

export const joinByComma = (parts: SQL[]): SQL => sql.join(parts, sql`, `);

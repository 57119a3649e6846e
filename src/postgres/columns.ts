import type { Column } from 'drizzle-orm';
import { toArray } from './session/sql.ts';

type Value = bigint | string | null;
type Type = 'int8' | 'text';
type Rows<Name extends string> = readonly Readonly<Partial<Record<Name, Value | undefined>>>[];

/** The values of each of these columns as an array, which `unnest` converts back to rows. */
export const toArrays = <Name extends string>(names: readonly Name[], rows: Rows<Name>) =>
  Object.fromEntries(names.map((name) => [name, toArray(rows.map((row) => row[name] ?? null))])) as Record<
    Name,
    string
  >;

/**
 * Parts of statements generated from the columns of a table, so that only the table names a new column. Values are parameters, never
 * part of a text.
 */
export const partsOf = <Name extends string>(columns: Readonly<Record<Name, Column>>) => {
  const own = Object.entries<Column>(columns) as [Name, Column][];
  const keys = own.map(([name]) => name);
  const pick = (arrays: Readonly<Record<Name, string>>): string[] => keys.map((name) => arrays[name]);
  return {
    /** The columns by their names in the database. */
    names: own.map(([, column]) => `"${column.name}"`).join(', '),
    /** The same for a select, by their names in the table's type. */
    fields: own.map(([name, column]) => `"${column.name}" AS "${name}"`).join(', '),
    /** The same for `ON CONFLICT DO UPDATE`. */
    excluded: own.map(([, column]) => `"${column.name}" = excluded."${column.name}"`).join(', '),
    /** The rows of arrays that are the parameters of a statement, the first with this number. */
    unnest: (first: number): string =>
      `unnest(${own.map(([, column], index) => `$${first + index}::${typeOf(column)}[]`).join(', ')})`,
    toArrays: (rows: Rows<Name>) => toArrays(keys, rows),
    /** The parameters of `unnest`. */
    pick,
    toParameters: (rows: Rows<Name>) => pick(toArrays(keys, rows)),
  };
};

/**
 * A condition that is always true, for an `INSERT … SELECT` of parameters. Citus sends it to the node of the store as one statement only
 * if it reads a table of the store. Otherwise it makes a COPY, and the commit has two phases: if the node ends between them, the
 * acknowledged rows stay invisible until Citus has recovered the transaction.
 */
export const isOnNode = 'EXISTS (SELECT FROM log_head)';

export const typeOf = (column: Column): Type => (column.getSQLType() === 'bigint' ? 'int8' : 'text');

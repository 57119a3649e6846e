import type { SQL } from 'bun';
import type { Column } from 'drizzle-orm';

type Value = bigint | string | null;
type Type = 'int8' | 'text';
type PgArray = ReturnType<SQL['array']>;
type Rows<Name extends string> = readonly Readonly<Partial<Record<Name, Value | undefined>>>[];

/** The values of each of these columns as an array, which `unnest` converts back to rows. */
export const toArrays = <Name extends string>(sql: SQL, types: Readonly<Record<Name, Type>>, rows: Rows<Name>) => {
  const columns = Object.entries<Type>(types) as [Name, Type][];
  return Object.fromEntries(
    columns.map(([name, type]) => [
      name,
      sql.array(
        rows.map((row) => row[name] ?? null),
        type,
      ),
    ]),
  ) as Record<Name, PgArray>;
};

/**
 * Parts of statements generated from the columns of a table, so that only the table names a new column. Values are parameters, never
 * part of a text.
 */
export const partsOf = <Name extends string>(columns: Readonly<Record<Name, Column>>) => {
  const own = Object.entries<Column>(columns) as [Name, Column][];
  const types = Object.fromEntries(own.map(([name, column]) => [name, typeOf(column)])) as Record<Name, Type>;
  const pick = (arrays: Readonly<Record<Name, PgArray>>): PgArray[] => own.map(([name]) => arrays[name]);
  return {
    /** The columns by their names in the database. */
    names: own.map(([, column]) => `"${column.name}"`).join(', '),
    /** The same for a select, by their names in the table's type. */
    fields: own.map(([name, column]) => `"${column.name}" AS "${name}"`).join(', '),
    /** The same for `ON CONFLICT DO UPDATE`. */
    excluded: own.map(([, column]) => `"${column.name}" = excluded."${column.name}"`).join(', '),
    /** The rows of arrays that are the parameters of a statement, the first with this number. */
    unnest: (first: number): string =>
      `unnest(${own.map(([name], index) => `$${first + index}::${types[name]}[]`).join(', ')})`,
    toArrays: (sql: SQL, rows: Rows<Name>) => toArrays(sql, types, rows),
    /** The parameters of `unnest`. */
    pick,
    toParameters: (sql: SQL, rows: Rows<Name>) => pick(toArrays(sql, types, rows)),
  };
};

export const typeOf = (column: Column): Type => (column.getSQLType() === 'bigint' ? 'int8' : 'text');

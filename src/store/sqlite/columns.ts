/** Parts of statements that are made from the columns of a table, so that a new column is named in the table alone. */
import { getTableColumns, type SQL, sql, type Table } from 'drizzle-orm';
import { int64ToJson } from '../../base/int64.ts';

/** A placeholder for each of these columns, by the column's name. */
export const placeholdersOf = <Columns extends object>(columns: Columns) =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, sql`${sql.placeholder(name)}`])) as Record<
    keyof Columns,
    SQL
  >;

/** Selects the rows that the placeholder `rows` has as `toJsonRows` writes them. */
export const selectJsonRows = (table: Table): SQL => {
  const values = Object.keys(getTableColumns(table)).map((_, index) => sql.raw(`value ->> ${index}`));
  // With no WHERE, SQLite would take an ON CONFLICT behind it for a part of a join.
  return sql`SELECT ${sql.join(values, sql.raw(', '))} FROM json_each(${sql.placeholder('rows')}) WHERE true`;
};

/** Rows as JSON, each a list in the order of the columns. */
export const toJsonRows = (table: Table, rows: readonly Row[]): string => {
  const names = Object.keys(getTableColumns(table));
  return JSON.stringify(rows.map((row) => names.map((name) => toJson(row[name]))));
};

type Row = Readonly<Record<string, bigint | string | null>>;

const toJson = (value: Row[string] | undefined) => (typeof value === 'bigint' ? int64ToJson(value) : value);

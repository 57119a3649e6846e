/** Parts of statements generated from the columns of a table, so that only the table names a new column. */
import { type Column, getTableColumns, type SQL, sql, type Table } from 'drizzle-orm';
import { int64ToJson } from '../../base/int64.ts';

/** A placeholder for each of these columns, by the column's name. */
export const placeholdersOf = <Columns extends object>(columns: Columns) =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, sql`${sql.placeholder(name)}`])) as Record<
    keyof Columns,
    SQL
  >;

/** These columns by their names in the table's type, not in the database, for a statement of `prepareDirect`. */
export const fieldsOf = <Columns extends Readonly<Record<string, Column>>>(columns: Columns) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, sql`${column}`.as(name)]));

/**
 * The parts to insert many rows by one statement: `select` reads them from the placeholder `rows`, which `encode` writes.
 * `same` has the columns with the same value in all rows.
 */
export const manyRows = (table: Table, same: Readonly<Record<string, SQL>> = {}) => {
  const all = Object.keys(getTableColumns(table));
  const own = all.filter((name) => !(name in same));
  const values = all.map((name) => same[name] ?? sql.raw(`value ->> ${own.indexOf(name)}`));
  return {
    // Without WHERE, SQLite would parse a following ON CONFLICT as part of a join.
    select: sql`SELECT ${sql.join(values, sql.raw(', '))} FROM json_each(${sql.placeholder('rows')}) WHERE true`,
    encode: <Row extends { [Name in keyof Row]: Value | undefined }>(rows: readonly Row[]): string =>
      JSON.stringify(rows.map((row) => own.map((name) => toJson(row[name as keyof Row] ?? null)))),
  };
};

type Value = bigint | string | null;

const toJson = (value: Value) => (typeof value === 'bigint' ? int64ToJson(value) : value);

import type { Database } from 'bun:sqlite';
import { type Column, getTableColumns, is, Placeholder, type SQL, sql, type Table } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';
import { int64ToJson } from '../../base/int64.ts';

export type DrizzleClient = BunSQLiteDatabase & { readonly $client: Database };

/** The values are by the names of the placeholders, and the rows by those of the selected fields. */
export interface DirectStatement<Values extends object, Row = unknown> {
  run(values: Values): unknown;
  all(values: Values): Row[];
}

/**
 * Prepares a statement that Drizzle writes and bun:sqlite runs, without an array of each row for Drizzle. It is for statements of each
 * request. Fields that are not columns need their names as aliases: see `fieldsOf`.
 */
export const prepareDirect = <Given extends object, Row = unknown>(
  { $client }: DrizzleClient,
  query: { toSQL(): { sql: string; params: unknown[] } },
): DirectStatement<Given, Row> => {
  const { sql: text, params } = query.toSQL();
  const names = params.map(nameOf).values();
  return $client.prepare<Row, [Given & Record<string, bigint | string | number | null>]>(
    text.replaceAll('?', () => names.next().value ?? ''),
  );
};

const nameOf = (param: unknown): string => {
  if (!is(param, Placeholder)) throw new Error('A direct statement has a value that is not a placeholder.');
  return `$${param.name}`;
};

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

import { getTableColumns, is, Param, Placeholder, type SQL, sql, type Table } from 'drizzle-orm';
import { BaseSQLiteDatabase, SQLiteSession, SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { int64ToJson } from '../base/int64.ts';
import { lazy } from '../base/lazy.ts';
import type { SqliteClient, SqliteStatement, SqliteValue } from '../runtime/runtime.ts';

/** Writes the names of placeholders into the SQL, and constants as they are. */
class NamingDialect extends SQLiteSyncDialect {
  /** Drizzle passes the value too, which its type does not show. */
  override escapeParam(_number: number, value?: unknown): string {
    const param = is(value, Param) ? value.value : value;
    if (is(param, Placeholder)) return `$${param.name}`;
    if (typeof param === 'bigint' || typeof param === 'number') return `${param}`;
    throw new Error('A value of a statement is neither a placeholder nor an integer.');
  }
}

class NoSession extends SQLiteSession<'sync', void, Record<string, never>, Record<string, never>> {
  override prepareQuery(): never {
    throw new Error('Drizzle runs no statement.');
  }
  override transaction(): never {
    return this.prepareQuery();
  }
}

const dialect = new NamingDialect();

/**
 * Builds statements. The client of the runtime runs them. If Drizzle's own session for Bun's client ran them, prepared once, a create would
 * take 6 % more CPU and a get 7 %. It has none for node:sqlite.
 */
export const builder = new BaseSQLiteDatabase('sync', dialect, new NoSession(dialect), undefined);

/**
 * Returns a function that makes a statement for this client. Its values are by the names of the placeholders, and its rows by those of the
 * selected fields. Fields that are not columns need their names as aliases: see `fieldsOf`. `build` is called, and the statement prepared,
 * when it first runs: all of them take 25 ms, and most processes run a few.
 */
export const preparerOf =
  (client: SqliteClient) =>
  <Values, Row = never>(build: () => Built<Row>): SqliteStatement<Row, Values> => {
    const prepared = lazy(() => client.prepare<Row, Values>(build().toSQL().sql));
    return { run: (values) => prepared().run(values), all: (values) => prepared().all(values) };
  };

/** Prepares a statement in SQL, whose selected fields have names. */
export const prepareSql = <Values, Row>(client: SqliteClient, query: SQL): SqliteStatement<Row, Values> =>
  client.prepare<Row, Values>(dialect.sqlToQuery(query).sql);

/** Without rows, it is a statement that returns none. */
type Built<Row> = { toSQL(): { sql: string } } & ([Row] extends [never]
  ? unknown
  : { readonly _: { readonly result: readonly Row[] } });

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
    encode: <Row extends { [Name in keyof Row]: SqliteValue | undefined }>(rows: readonly Row[]): string =>
      JSON.stringify(rows.map((row) => own.map((name) => toJson(row[name as keyof Row] ?? null)))),
  };
};

const toJson = (value: SqliteValue) => (typeof value === 'bigint' ? int64ToJson(value) : value);

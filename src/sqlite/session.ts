/** Drizzle on the client of the runtime: Drizzle writes the SQL and types the rows, and the client prepares and runs each statement. */
import { is, Param, Placeholder, type Query, type SQL } from 'drizzle-orm';
import {
  BaseSQLiteDatabase,
  type PreparedQueryConfig,
  type SQLiteExecuteMethod,
  SQLitePreparedQuery,
  SQLiteSession,
  SQLiteSyncDialect,
} from 'drizzle-orm/sqlite-core';
import { lazy } from '../base/lazy.ts';
import type { SqliteClient, SqliteStatement } from '../runtime/runtime.ts';
import { namedFields, namedReturning } from '../storage/columns.ts';

/**
 * A database for statements that are prepared once, as `lazy(() => db.select().from(plants).prepare())`: all of them take 25 ms, and most
 * processes run a few. Drizzle's own session for Bun, with prepared statements, takes 60 % more CPU for a get, and there is none for
 * node:sqlite. Transactions are those of `transactions.ts`.
 */
export const drizzle = (client: SqliteClient): BaseSQLiteDatabase<'sync', Changes> =>
  new BaseSQLiteDatabase('sync', dialect, new ClientSession(client), undefined);

type Changes = ReturnType<SqliteStatement<never>['run']>;

/**
 * Prepares a statement when it is first needed, with the type of its values, which Drizzle does not know. There are two calls, since
 * TypeScript infers all type arguments of a call or none (https://github.com/microsoft/TypeScript/issues/10571).
 */
export const withValues =
  <Values>() =>
  <Config extends PreparedQueryConfig>(prepare: () => SQLitePreparedQuery<Config>) =>
    lazy(prepare) as () => Statement<Config, Values>;

/** A prepared query of Drizzle whose values have a type. */
interface Statement<Config extends PreparedQueryConfig, Values> {
  run(values: Values): Config['run'];
  all(values: Values): Config['all'];
  get(values: Values): Config['get'];
}

/** Prepares a statement in SQL, whose selected fields have names. */
export const prepareSql = <Values, Row>(client: SqliteClient, query: SQL): SqliteStatement<Row, Values> =>
  client.prepare<Row, Values>(dialect.sqlToQuery(query).sql);

/**
 * Writes the names of placeholders into the SQL, and constants as they are. A selected column has its name in the table's type, so rows need
 * no mapping.
 */
class NamingDialect extends SQLiteSyncDialect {
  /** Drizzle passes the value too, which its type does not show. */
  override escapeParam(_number: number, value?: unknown): string {
    const param = is(value, Param) ? value.value : value;
    if (is(param, Placeholder)) return `$${param.name}`;
    if (typeof param === 'bigint' || typeof param === 'number') return `${param}`;
    throw new Error('A value of a statement is neither a placeholder nor an integer.');
  }
  override buildSelectQuery(config: Parameters<SQLiteSyncDialect['buildSelectQuery']>[0]): SQL {
    return super.buildSelectQuery({ ...config, fields: namedFields(config.fields) });
  }
  override buildInsertQuery(config: Parameters<SQLiteSyncDialect['buildInsertQuery']>[0]): SQL {
    return super.buildInsertQuery(namedReturning(config));
  }
  override buildUpdateQuery(config: Parameters<SQLiteSyncDialect['buildUpdateQuery']>[0]): SQL {
    return super.buildUpdateQuery(namedReturning(config));
  }
  override buildDeleteQuery(config: Parameters<SQLiteSyncDialect['buildDeleteQuery']>[0]): SQL {
    return super.buildDeleteQuery(namedReturning(config));
  }
}

const dialect = new NamingDialect();

class ClientSession extends SQLiteSession<'sync', Changes, Record<string, unknown>, Record<string, never>> {
  readonly #client: SqliteClient;
  constructor(client: SqliteClient) {
    super(dialect);
    this.#client = client;
  }
  override prepareQuery(query: Query, _fields: unknown, method: SQLiteExecuteMethod) {
    return new ClientQuery(this.#client.prepare(query.sql), query, method);
  }
  override transaction(): never {
    throw new Error('Transactions are made by transactions.ts.');
  }
}

type Values = Readonly<Record<string, unknown>>;

class ClientQuery extends SQLitePreparedQuery<PreparedQueryConfig & { type: 'sync' }> {
  readonly #statement: SqliteStatement<unknown, Values | undefined>;
  constructor(statement: SqliteStatement<unknown, Values | undefined>, query: Query, method: SQLiteExecuteMethod) {
    super('sync', method, query);
    this.#statement = statement;
  }
  override run(values?: Values) {
    return this.#statement.run(values);
  }
  override all(values?: Values) {
    return this.#statement.all(values);
  }
  override get(values?: Values) {
    return this.#statement.all(values)[0];
  }
  override values(): never {
    throw new Error('Rows are objects.');
  }
}

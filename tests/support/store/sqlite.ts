import { closeSync, openSync } from 'node:fs';
import { runtime } from '#runtime';
import sqliteMigrations from '../../../db/migrations.json' with { type: 'json' };
import type { SqliteClient } from '../../../src/runtime/runtime.ts';
import { migrate } from '../../../src/sqlite/migrate.ts';

/** A connection of a test to a database, which is created if there is none. */
export const openDatabase = (path: string): SqliteClient => {
  closeSync(openSync(path, 'a'));
  return runtime.openSqlite(path);
};

/** Creates a database of an earlier version, which has this number of migrations and what `fill` writes. */
export const createOlderSqlite = (path: string, count: number, fill: (client: SqliteClient) => void): void => {
  using client = openDatabase(path);
  client.run('PRAGMA journal_mode = WAL');
  migrate(client, sqliteMigrations.slice(0, count));
  fill(client);
};

/** The rows of a query, as arrays. */
export const rowsOf = (client: SqliteClient, sql: string): unknown[][] =>
  client.prepare<object>(sql).all().map(Object.values);

/** The first value of the first row of a query. */
export const firstOf = (client: SqliteClient, sql: string): unknown => rowsOf(client, sql)[0]?.[0];

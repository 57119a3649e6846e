import { closeSync, openSync } from 'node:fs';
import { runtime } from '#runtime';
import type { SqliteClient } from '../../../src/runtime/runtime.ts';

/** A connection of a test to a database, which is created if there is none. */
export const openDatabase = (path: string): SqliteClient => {
  closeSync(openSync(path, 'a'));
  return runtime.openSqlite(path);
};

/** The rows of a query, as arrays. */
export const rowsOf = (client: SqliteClient, sql: string): unknown[][] =>
  client.prepare<object>(sql).all().map(Object.values);

/** The first value of the first row of a query. */
export const firstOf = (client: SqliteClient, sql: string): unknown => rowsOf(client, sql)[0]?.[0];

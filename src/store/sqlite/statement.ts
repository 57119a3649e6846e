import type { Database, SQLQueryBindings } from 'bun:sqlite';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';

export type DrizzleClient = BunSQLiteDatabase & { readonly $client: Database };

/** The values are in the order of the placeholders. */
export interface DirectStatement<Values extends SQLQueryBindings[]> {
  run(...values: Values): unknown;
  /** Rows as arrays, in the order of the columns. */
  values(...values: Values): unknown[][];
}

/**
 * Prepares a statement that Drizzle writes and bun:sqlite runs. It is for statements of each request: Drizzle would look up each value
 * by its name at each run.
 */
export const prepareDirect = <Values extends SQLQueryBindings[]>(
  { $client }: DrizzleClient,
  query: { toSQL(): { sql: string } },
): DirectStatement<Values> => $client.prepare<unknown, SQLQueryBindings[]>(query.toSQL().sql);

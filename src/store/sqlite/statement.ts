import type { Database, SQLQueryBindings } from 'bun:sqlite';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';

export type DrizzleClient = BunSQLiteDatabase & { readonly $client: Database };

/** Its values come in the order of its placeholders. */
export interface DirectStatement<Values extends SQLQueryBindings[]> {
  run(...values: Values): unknown;
  /** Rows as arrays, in the order of the columns. */
  values(...values: Values): unknown[][];
}

/**
 * Prepares a statement that Drizzle writes and bun:sqlite runs, for what each request does: Drizzle would look up each value by its
 * name at each run.
 */
export const prepareDirect = <Values extends SQLQueryBindings[]>(
  { $client }: DrizzleClient,
  query: { toSQL(): { sql: string } },
): DirectStatement<Values> => $client.prepare<unknown, SQLQueryBindings[]>(query.toSQL().sql);

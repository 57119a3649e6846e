import type { Database } from 'bun:sqlite';
import { is, Placeholder } from 'drizzle-orm';
import type { BunSQLiteDatabase } from 'drizzle-orm/bun-sqlite';

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
  const { sql, params } = query.toSQL();
  const names = params.map(nameOf).values();
  return $client.prepare<Row, [Given & Record<string, bigint | string | number | null>]>(
    sql.replaceAll('?', () => names.next().value ?? ''),
  );
};

const nameOf = (param: unknown): string => {
  if (!is(param, Placeholder)) throw new Error('A direct statement has a value that is not a placeholder.');
  return `$${param.name}`;
};

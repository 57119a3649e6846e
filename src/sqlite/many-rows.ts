import { getTableColumns, type SQL, sql, type Table } from 'drizzle-orm';
import { int64ToJson } from '../base/int64.ts';
import type { SqliteValue } from '../runtime/runtime.ts';

/**
 * The parts to insert many rows by one statement: `select` reads them from the placeholder `rows`, which `encode` writes.
 * `same` has the columns with the same value in all rows.
 */
export const manyRows = <Same extends string = never>(table: Table, same?: Readonly<Record<Same, SQL>>) => {
  const shared: Readonly<Record<string, SQL>> = same ?? {};
  const all = Object.keys(getTableColumns(table));
  const own = all.filter((name) => !(name in shared));
  const values = all.map((name) => shared[name] ?? sql.raw(`value ->> ${own.indexOf(name)}`));
  return {
    // Without WHERE, SQLite would parse a following ON CONFLICT as part of a join.
    select: sql`SELECT ${sql.join(values, sql.raw(', '))} FROM json_each(${sql.placeholder('rows')}) WHERE true`,
    encode: <Row extends { [Name in keyof Row]: Name extends Same ? unknown : SqliteValue | undefined }>(
      rows: readonly Row[],
    ): string =>
      JSON.stringify(
        rows.map((row) => own.map((name) => toJson((row[name as keyof Row] as SqliteValue | undefined) ?? null))),
      ),
  };
};

const toJson = (value: SqliteValue) => (typeof value === 'bigint' ? int64ToJson(value) : value);

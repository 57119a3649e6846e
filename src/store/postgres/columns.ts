import type { SQL } from 'bun';

type Value = bigint | string | null;
type Type = 'int8' | 'text';

/** The values of each of these columns as an array, which `unnest` converts back to rows. */
export const toArrays = <Column extends string>(
  sql: SQL,
  types: Readonly<Record<Column, Type>>,
  rows: readonly Readonly<Record<Column, Value>>[],
) => {
  const columns = Object.entries<Type>(types) as [Column, Type][];
  return Object.fromEntries(
    columns.map(([column, type]) => [
      column,
      sql.array(
        rows.map((row) => row[column]),
        type,
      ),
    ]),
  ) as Record<Column, ReturnType<SQL['array']>>;
};

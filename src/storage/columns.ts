/** Parts of the statements of both engines. Drizzle builds the statements, and each engine writes and runs them in its own way. */
import { type Column, type GetColumnData, type SQL, sql } from 'drizzle-orm';

/** A placeholder for each of these columns, by the column's name. */
export const placeholdersOf = <Columns extends object>(columns: Columns) =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, sql`${sql.placeholder(name)}`])) as Record<
    keyof Columns,
    SQL
  >;

/** These columns by their names in the table's type, not in the database. */
export const fieldsOf = <Columns extends Readonly<Record<string, Column>>>(columns: Columns) =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, sql`${column}`.as(name)])) as {
    [Name in keyof Columns]: SQL.Aliased<GetColumnData<Columns[Name]>>;
  };

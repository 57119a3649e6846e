/** Parts of the statements of both engines. Drizzle builds the statements, and each engine writes and runs them in its own way. */
import { Column, type GetColumnData, is, SQL, sql } from 'drizzle-orm';

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

/** Selected fields with the names that they have in the type of a row as aliases, so that the client returns such rows. */
export const namedFields = (fields: Readonly<Record<string, unknown>>): Record<string, Column | SQL.Aliased> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, named(name, field)]));

/** The same for the fields of a RETURNING clause. */
export const namedReturning = <Config extends { returning?: { path: string[]; field: unknown }[] }>(
  config: Config,
): Config => ({
  ...config,
  ...(config.returning && {
    returning: config.returning.map(({ path, field }) => ({ path, field: named(path.join('.'), field) })),
  }),
});

const named = (name: string, field: unknown): Column | SQL.Aliased => {
  if (is(field, Column)) return field.name === name ? field : sql`${field}`.as(name);
  if (is(field, SQL)) return field.as(name);
  if (is(field, SQL.Aliased) && field.fieldAlias === name) return field;
  throw new Error(`The field ${name} of a row is not one column or expression.`);
};

/** Parts of the statements of both engines. Drizzle builds the statements, and each engine writes and runs them in its own way. */
import { Column, is, SQL, sql } from 'drizzle-orm';

/** A placeholder for each of these columns, by the column's name. */
export const placeholdersOf = <Columns extends object>(columns: Columns) =>
  Object.fromEntries(Object.keys(columns).map((name) => [name, sql`${sql.placeholder(name)}`])) as Record<
    keyof Columns,
    SQL
  >;

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

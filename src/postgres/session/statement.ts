/**
 * Statements, which Drizzle builds once when this engine is loaded. The sessions run them, so that a request costs nothing in Drizzle,
 * and each is sent when it is called, before it is awaited. A session of Drizzle would belong to one connection, for which each statement
 * would be built again.
 */
import { type Column, fillPlaceholders, is, SQL, sql } from 'drizzle-orm';
import { PgDatabase, PgDialect, type PgQueryResultHKT, PgSession } from 'drizzle-orm/pg-core';
import { namedFields, namedReturning } from '../../storage/columns.ts';
import { logHead } from '../db/tables.ts';
import type { PostgresParameter, PostgresQueries, PostgresRows } from '../driver/driver.ts';
import { type ArrayValue, toArray } from './array.ts';

/** A selected column has its name in the table's type, so rows need no mapping. */
class NamingDialect extends PgDialect {
  override buildSelectQuery(config: Parameters<PgDialect['buildSelectQuery']>[0]): SQL {
    return super.buildSelectQuery({ ...config, fields: namedFields(config.fields) });
  }
  override buildInsertQuery(config: Parameters<PgDialect['buildInsertQuery']>[0]): SQL {
    return super.buildInsertQuery(namedReturning(config));
  }
  override buildUpdateQuery(config: Parameters<PgDialect['buildUpdateQuery']>[0]): SQL {
    return super.buildUpdateQuery(namedReturning(config));
  }
  override buildDeleteQuery(config: Parameters<PgDialect['buildDeleteQuery']>[0]): SQL {
    return super.buildDeleteQuery(namedReturning(config));
  }
}

const dialect = new NamingDialect();

class NoSession extends PgSession {
  override prepareQuery(): never {
    throw new Error('Drizzle runs no statement.');
  }
  override transaction(): never {
    return this.prepareQuery();
  }
}

/** A statement without a RETURNING clause has no rows. */
interface RowsOnly extends PgQueryResultHKT {
  readonly type: readonly this['row'][];
}

export const builder = new PgDatabase<RowsOnly>(dialect, new NoSession(dialect), undefined);

/**
 * Prepares a statement that Drizzle has built, or one in SQL. Its values are by the names of the placeholders, and their type is the one
 * that Drizzle does not know. There are two calls, since TypeScript infers all type arguments of a call or none.
 */
export const prepare =
  <Values = void>() =>
  <Row>(statement: SQL<Row> | Built<Row>) => {
    const { sql: text, params } = is(statement, SQL) ? dialect.sqlToQuery(statement) : statement.toSQL();
    return ({ query }: PostgresQueries, values: Values): Promise<PostgresRows<Row>> =>
      query<Row>(text, fillPlaceholders(params, (values ?? {}) as Record<string, unknown>) as PostgresParameter[]);
  };

/** A statement of Drizzle's builder, with the type of its rows. */
interface Built<Row> {
  toSQL(): { sql: string; params: unknown[] };
  readonly _: { readonly result: readonly Row[] };
}

/** The names of columns in the database. */
export const namesOf = (columns: Readonly<Record<string, Column>>): SQL =>
  sql.join(
    Object.values(columns).map(({ name }) => sql.identifier(name)),
    sql`, `,
  );

/** The values of these columns in another row of the statement: `excluded` has that of an insertion with a conflict. */
export const valuesOf = (row: 'excluded' | 'input', columns: Readonly<Record<string, Column>>): Record<string, SQL> =>
  Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, sql.raw(`${row}."${column.name}"`)]));

/** Whether the value of a column is in the array with the name of the placeholder. The text is the same for any number of values. */
export const isAmong = (column: Column, name: string): SQL =>
  sql`${column} = ANY(${sql.placeholder(name)}::${sql.raw(typeOf(column))}[])`;

type Rows<Name extends string> = readonly Readonly<Partial<Record<Name, ArrayValue | undefined>>>[];

/**
 * Many rows as the values of a statement: an array for each column, by its name. So the statement has the same text for any number of
 * rows, and only the table names a new column.
 */
export const manyRows = <Name extends string>(columns: Readonly<Record<Name, Column>>) => {
  const own = Object.entries<Column>(columns) as [Name, Column][];
  const arrays = own.map(([name, column]) => sql`${sql.placeholder(name)}::${sql.raw(typeOf(column))}[]`);
  const names = namesOf(columns);
  const unnest = sql`unnest(${sql.join(arrays, sql`, `)})`;
  return {
    names,
    /** The rows, without the names of their columns. */
    unnest,
    /** The rows, as the table `input`. */
    input: sql`${unnest} AS input (${names})`,
    /** Like `input`, with the place of each row, from 1. */
    inOrder: sql`${unnest} WITH ORDINALITY AS input (${names}, place)`,
    toArrays: (rows: Rows<Name>): Record<Name, string> =>
      Object.fromEntries(own.map(([name]) => [name, toArray(rows.map((row) => row[name] ?? null))])) as Record<
        Name,
        string
      >,
  };
};

const typeOf = (column: Column): string => types[column.getSQLType()] ?? 'text';

const types: Readonly<Record<string, string>> = { bigint: 'int8', bytea: 'bytea' };

/**
 * A condition that is always true, for an `INSERT … SELECT` of parameters. Citus sends it to the node of the store as one statement only
 * if it reads a table of the store. Otherwise it makes a COPY, and the commit has two phases: if the node ends between them, the
 * acknowledged rows stay invisible until Citus has recovered the transaction.
 */
export const isOnNode = sql`EXISTS (SELECT FROM ${logHead})`;

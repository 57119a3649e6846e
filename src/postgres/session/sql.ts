import type { PostgresParameter, PostgresQueries, PostgresRows } from '../driver/driver.ts';

/** The queries of a connection, and a tag for those whose text has their parameters in it. Each is sent when it is made, before it is awaited. */
export interface Sql extends PostgresQueries {
  <Row = Readonly<Record<string, unknown>>>(
    strings: TemplateStringsArray,
    ...parameters: readonly PostgresParameter[]
  ): Promise<PostgresRows<Row>>;
}

export const createSql = (queries: PostgresQueries): Sql =>
  Object.assign(
    <Row>(strings: TemplateStringsArray, ...parameters: readonly PostgresParameter[]) =>
      queries.query<Row>(
        strings.reduce((text, part, index) => `${text}$${index}${part}`),
        parameters,
      ),
    queries,
  );

/** An array as a parameter, in PostgreSQL's syntax (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
export const toArray = (values: readonly (bigint | string | null)[]): string => `{${values.map(toElement).join()}}`;

const toElement = (value: bigint | string | null): string =>
  typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : (value?.toString() ?? 'NULL');

/** An array as a parameter, in PostgreSQL's syntax (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
export const toArray = (values: readonly (bigint | string | null)[]): string => `{${values.map(toElement).join()}}`;

const toElement = (value: bigint | string | null): string =>
  typeof value === 'string' ? `"${value.replaceAll(/["\\]/g, '\\$&')}"` : (value?.toString() ?? 'NULL');

/** An array as a parameter, in PostgreSQL's syntax (https://www.postgresql.org/docs/current/arrays.html#ARRAYS-IO). */
export type ArrayValue = bigint | string | Uint8Array | null;

export const toArray = (values: readonly ArrayValue[]): string => `{${values.map(toElement).join()}}`;

const toElement = (value: ArrayValue): string => {
  if (typeof value === 'string') return `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
  if (value instanceof Uint8Array) return `"\\\\x${Buffer.from(value).toString('hex')}"`;
  return value?.toString() ?? 'NULL';
};

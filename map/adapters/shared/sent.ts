/** The types that `--read-write-markers` of openapi-typescript makes for requests. */

/**
 * The type `Sent`, without the members that are never sent. Those are `undefined` in the type of the tool, and the error of the compiler would
 * be that of a type which is missing.
 */
export const sentType =
  'type Sent<T> = T extends object ? { [K in keyof T as [Exclude<T[K], undefined>] extends [never] ? never : K]: T[K] } : T;';

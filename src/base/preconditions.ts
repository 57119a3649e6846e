/** The conditions of a change (RFC 9110 §13.1): of each header, the versions in it, or `*` for any, or nothing without it. */
export interface Preconditions {
  readonly match?: Versions | undefined;
  readonly noneMatch?: Versions | undefined;
}

export type Versions = readonly string[] | '*';

export const isAmong = (versions: Versions, version: string): boolean => versions === '*' || versions.includes(version);

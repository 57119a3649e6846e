/**
 * Detects that other files replaced those of an open database, as when a backup is moved over it. SQLite would continue to use
 * the old files: its writes would be lost, and it would never see the writes of others, such as the revocation of a token. It also
 * detects a truncated WAL index: SQLite maps it into memory, so the next read would end the process by SIGBUS.
 */
import { type Stats, statSync, truncateSync } from 'node:fs';

/** A file of the database was replaced, removed or truncated while it was in use. All further reads and writes must be refused. */
export class Displaced extends Error {
  override readonly name = 'Displaced';
}

export type InPlace = ReturnType<typeof createInPlace>;

/**
 * To be called when the database is open. `name` is the configured name, `path` the real path. A database in
 * memory has no files, so nothing is detected.
 */
export const createInPlace = (name: string, path: string) => {
  const log = `${path}-wal`;
  const index = `${path}-shm`;
  const opened = new Map([name, path, log, index].map((file) => [file, statOf(file)]));
  let indexBytes = opened.get(index)?.size ?? 0;

  const isOther = (file: string, stat = statOf(file)): boolean => !isSameFile(stat, opened.get(file));
  const isCutOff = (stat: Stats | undefined): boolean => stat !== undefined && stat.size < indexBytes;

  const lookAtIndex = (): Displaced | undefined => {
    const stat = statOf(index);
    if (isOther(index, stat)) return displaced();
    if (isCutOff(stat)) return new Displaced('the WAL index of the database was truncated');
    indexBytes = stat?.size ?? 0;
    return undefined;
  };
  return {
    /** Checks each file. Absent while all are in place. */
    look: (): Displaced | undefined => (isOther(name) || isOther(log) ? displaced() : lookAtIndex()),
    /** Checks only the WAL index, before SQLite reads it, at a third of the cost. */
    lookAtIndex,
    /** Whether the log is still the one that was opened, but the database is not: SQLite would read the log into the other one. */
    isLogOrphaned: (): boolean => isOther(path) && !isOther(log) && !isCutOff(statOf(index)),
    /** Extends the WAL index with zeros, so that the connection can be closed. SQLite then rebuilds the index from the log. */
    mendIndex: (): void => {
      const stat = statOf(index);
      if (!isOther(index, stat) && isCutOff(stat)) truncateSync(index, indexBytes);
    },
  };
};

const displaced = (): Displaced => new Displaced('the database file or its log was replaced or removed');

const isSameFile = (a: Stats | undefined, b: Stats | undefined): boolean => a?.ino === b?.ino && a?.dev === b?.dev;

/** A file that cannot be accessed counts as removed. */
const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

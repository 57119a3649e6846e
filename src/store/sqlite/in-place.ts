/**
 * Notices that other files took the names of a database that is open, as when a backup is moved over it. SQLite would work on
 * with the old ones: its writes are lost, and it never sees what others write, such as the revocation of a token. And when the
 * index of the log is cut off, the next look into it ends the process by SIGBUS, since SQLite maps it into memory.
 */
import { type Stats, statSync, truncateSync } from 'node:fs';

/** A file of the database was replaced, removed or cut off while it was in use. Nothing may be read or written any more. */
export class Displaced extends Error {
  override readonly name = 'Displaced';
}

export type InPlace = ReturnType<typeof createInPlace>;

/**
 * To be called when the database is open. `name` is the name by which others know it, `path` the real path. A database in
 * memory has no files, so nothing can happen to them.
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
    /** Looks at each file. Absent while all is well. */
    look: (): Displaced | undefined => (isOther(name) || isOther(log) ? displaced() : lookAtIndex()),
    /** Looks at the index alone, at a third of the cost: before SQLite reads it. */
    lookAtIndex,
    /** Whether the log is still the one that was opened, but the database is not: SQLite would read the log into the other one. */
    isLogOrphaned: (): boolean => isOther(path) && !isOther(log) && !isCutOff(statOf(index)),
    /** Fills the index up with zeros, so that the connection can be closed. SQLite then makes a new one from the log. */
    mendIndex: (): void => {
      const stat = statOf(index);
      if (!isOther(index, stat) && isCutOff(stat)) truncateSync(index, indexBytes);
    },
  };
};

const displaced = (): Displaced => new Displaced('the database file or its log was replaced or removed');

const isSameFile = (a: Stats | undefined, b: Stats | undefined): boolean => a?.ino === b?.ino && a?.dev === b?.dev;

/** A file that cannot be reached counts as gone. */
const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

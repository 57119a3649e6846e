/**
 * Whether the files of a database are still the ones that were opened. SQLite goes on with what it has open when other files
 * take their names, as when a backup is moved over the database: what it then writes is found by nobody, and what others
 * write, such as the revocation of a token, it never sees. And when the index of the log is cut off, the next look into it ends
 * the process by SIGBUS, since SQLite has it mapped into memory.
 */
import { type Stats, statSync, truncateSync } from 'node:fs';

/** A file of the database was replaced, removed or cut off while it was in use. Nothing may be read or written any more. */
export class Displaced extends Error {
  override readonly name = 'Displaced';
}

/** Each gives back what is wrong, and nothing while all is well. */
export interface InPlace {
  /** Looks at each file. */
  look(): Displaced | undefined;
  /** Looks at the index of the log alone, at a third of the cost: before SQLite reads it. */
  lookAtIndex(): Displaced | undefined;
  /**
   * Whether the log by its name is still the one that was opened, and the database is not: whoever opens the other database next
   * would read that log into it.
   */
  isLogOrphaned(): boolean;
  /**
   * Gives the index its size again, with zeros, so that the connection can be closed. To SQLite that is an index that was never
   * written, and it makes a new one from the log.
   */
  mendIndex(): void;
}

/**
 * To be called when the database is open. `name` is the name by which others know it, `path` the real path. A database in
 * memory has no files, and so none is ever another.
 */
export const createInPlace = (name: string, path: string): InPlace => {
  const log = `${path}-wal`;
  const index = `${path}-shm`;
  const opened = new Map([name, path, log, index].map((file) => [file, statOf(file)]));
  let indexBytes = opened.get(index)?.size ?? 0;

  const isOther = (file: string, stat = statOf(file)): boolean => !isSameFile(stat, opened.get(file));
  const isCutOff = (stat: Stats | undefined): boolean => stat !== undefined && stat.size < indexBytes;

  const lookAtIndex = (): Displaced | undefined => {
    const stat = statOf(index);
    if (isOther(index, stat)) return displaced();
    if (isCutOff(stat)) return new Displaced('the index of the log of the database was cut off');
    indexBytes = stat?.size ?? 0;
    return undefined;
  };
  return {
    look: () => (isOther(name) || isOther(log) ? displaced() : lookAtIndex()),
    lookAtIndex,
    isLogOrphaned: () => isOther(path) && !isOther(log) && !isCutOff(statOf(index)),
    mendIndex: () => {
      const stat = statOf(index);
      if (!isOther(index, stat) && isCutOff(stat)) truncateSync(index, indexBytes);
    },
  };
};

const displaced = (): Displaced => new Displaced('the database file was replaced or removed, or its log');

const isSameFile = (a: Stats | undefined, b: Stats | undefined): boolean => a?.ino === b?.ino && a?.dev === b?.dev;

/** A file that cannot be reached any more is as good as gone. */
const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

import { chmodSync, closeSync, existsSync, fsyncSync, openSync, type Stats, statSync, truncateSync } from 'node:fs';
import { OperatorError, tryTo } from '../base/error.ts';
import { isMountedAlone, realPathOf } from '../base/file-system.ts';
import { FileReplaced, openError } from './errors.ts';

export const suffixes = ['-wal', '-shm', '-journal'] as const;

/** The database at `path` and the files that SQLite may create beside it, with links followed. They need not exist. */
export const filesOf = (path: string): string[] => {
  const real = realPathOf(path);
  return [real, ...suffixes.map((suffix) => real + suffix)];
};

/**
 * Makes the files of a database private to their owner, since they contain the secrets of webhooks. SQLite gives new files the
 * mode of the database. Returns whether it succeeded: some file systems have no modes, and only the owner may change them.
 */
export const makePrivate = (path: string): boolean =>
  filesOf(path).every((file) => {
    const stat = statSync(file, { throwIfNoEntry: false });
    return stat === undefined || (stat.mode & modeOfOthers) === 0 || setPrivate(file);
  });

const modeOfOthers = 0o077;

const setPrivate = (file: string): boolean => {
  try {
    chmodSync(file, 0o600);
    return true;
  } catch {
    return false;
  }
};

/** Syncs the log of an open database, if this process can write it. SQLite has no lock on it, which the close would release. */
export const syncLog = (path: string): void => {
  if ((statOf(`${path}-wal`)?.size ?? 0) === 0) return;
  const log = tryTo(() => openSync(`${path}-wal`, 'r+'));
  if (log === undefined) return;
  try {
    fsyncSync(log);
  } catch (cause) {
    throw Object.assign(new Error('the log could not be synced', { cause }), { code: 'SQLITE_IOERR_FSYNC' });
  } finally {
    closeSync(log);
  }
};

/** Throws OperatorError if there is no file at `path`. */
export const throwIfMissing = (path: string): void => {
  if (!existsSync(path)) throw new OperatorError(`No database at ${path}; run serve or migrate first.`);
};

/** Throws OperatorError if there is a log at `path` without its database: SQLite would write it into the new one. */
export const throwIfLogRemains = (path: string): void => {
  for (const log of [`${path}-wal`, `${path}-journal`]) {
    if (existsSync(log)) {
      throw new OperatorError(`${log} is the log of another database. Move it away first.`);
    }
  }
};

/**
 * Throws OperatorError if the file is mounted without its folder. Its log would be outside of the mount: a container takes it along when it is
 * removed, with commits that were confirmed, and processes outside of the container do not see its locks.
 */
export const throwIfMountedAlone = (path: string): void => {
  if (isMountedAlone(path)) throw openError(path, 'is mounted without its folder, where its log is. Mount the folder');
};

export type FileIdentity = ReturnType<typeof createFileIdentity>;

/**
 * Detects that other files replaced those of an open database, as when a backup is moved over it. SQLite would continue to use
 * the old files: its writes would be lost, and it would never see the writes of others, such as the revocation of a token. It also
 * detects a truncated WAL index: SQLite maps it into memory, so the next read would end the process by SIGBUS.
 *
 * To be called when the database is open. `name` is the configured name, `path` the real path. A database in memory has no files, so
 * nothing is detected.
 */
export const createFileIdentity = (name: string, path: string) => {
  const log = `${path}-wal`;
  const index = `${path}-shm`;
  const opened = new Map([name, path, log, index].map((file) => [file, statOf(file)]));
  let indexBytes = opened.get(index)?.size ?? 0;

  const isOther = (file: string, stat = statOf(file)): boolean => !isSameFile(stat, opened.get(file));
  const isCutOff = (stat: Stats | undefined): boolean => stat !== undefined && stat.size < indexBytes;

  const checkIndex = (): FileReplaced | undefined => {
    const stat = statOf(index);
    if (isOther(index, stat)) return replaced();
    if (isCutOff(stat)) return new FileReplaced('the WAL index of the database was truncated');
    indexBytes = stat?.size ?? 0;
    return undefined;
  };
  return {
    /** Checks each file. Undefined while none is missing or replaced. */
    check: (): FileReplaced | undefined => (isOther(name) || isOther(log) ? replaced() : checkIndex()),
    /** Checks only the WAL index, before SQLite reads it, at a third of the cost. */
    checkIndex,
    /** Whether the log is still the one that was opened, but the database is not: SQLite would read the log into the other one. */
    isLogOrphaned: (): boolean => isOther(path) && !isOther(log) && !isCutOff(statOf(index)),
    /** Extends the WAL index with zeros, so that the connection can be closed. SQLite then rebuilds the index from the log. */
    extendIndex: (): void => {
      const stat = statOf(index);
      if (!isOther(index, stat) && isCutOff(stat)) truncateSync(index, indexBytes);
    },
  };
};

const replaced = (): FileReplaced => new FileReplaced('the database file or its log was replaced or removed');

const isSameFile = (a: Stats | undefined, b: Stats | undefined): boolean => a?.ino === b?.ino && a?.dev === b?.dev;

/** A file that cannot be accessed counts as removed. */
const statOf = (path: string): Stats | undefined => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

import { SQLiteError } from 'bun:sqlite';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { codeOf, OperatorError } from '../../base/error.ts';
import { realPathOf } from '../../base/real-path.ts';

/** The ends of the names of the files that SQLite keeps beside a database. */
export const suffixes = ['-wal', '-shm', '-journal'] as const;

/** The database at `path` and the files that SQLite may keep beside it, with links followed. They need not exist. */
export const filesOf = (path: string): string[] => {
  const real = realPathOf(path);
  return [real, ...suffixes.map((suffix) => real + suffix)];
};

/**
 * Makes the files of a database private to their owner, since the secrets of webhooks are in them. SQLite gives new files the
 * mode of the database. Returns whether it could: some file systems have no modes, and only the owner may.
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

/** Throws OperatorError when there is a log at `path` without its database: SQLite would write it into the new one. */
export const refuseIfLogRemains = (path: string): void => {
  for (const log of [`${path}-wal`, `${path}-journal`]) {
    if (existsSync(log)) {
      throw new OperatorError(`The log of another database is in the way, ${basename(log)}. It was left as it is.`);
    }
  }
};

/** A database file that this program will not open, and why. */
export const refusal = (reason: string, options?: ErrorOptions): OperatorError =>
  new OperatorError(`The database file ${reason}. It was left as it is.`, options);

/** The refusal for an error of SQLite or of the system at the opening. Any other error comes back as it is. */
export const asRefusal = (error: unknown): unknown => {
  const isOfFile = error instanceof SQLiteError || (error instanceof Error && 'syscall' in error);
  return isOfFile ? refusal(reasonOf(codeOf(error)), { cause: error }) : error;
};

const reasonOf = (code = ''): string => {
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) return 'is not a SQLite database, or is damaged';
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return 'is locked by another program';
  return `cannot be opened (${code}): see its permissions and those of its folder`;
};

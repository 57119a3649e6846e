import { SQLiteError } from 'bun:sqlite';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { OperatorError } from '../../base/error.ts';
import { realPathOf } from '../../base/real-path.ts';

/** The ends of the names of the files that SQLite keeps beside a database. */
export const suffixes = ['-wal', '-shm', '-journal'] as const;

/** The database at `path` and all that SQLite may keep beside it, links followed; none of them need exist. */
export const filesOf = (path: string): string[] => {
  const real = realPathOf(path);
  return [real, ...suffixes.map((suffix) => real + suffix)];
};

/**
 * Takes the files of a database from all users but its owner: it holds the secrets of webhooks. SQLite gives the files that it
 * makes the mode of the database. Returns whether this could be done: some file systems have no modes, and only the owner may.
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

/**
 * Throws OperatorError when the log of another database lies where that of `path` would: SQLite would write what it
 * holds into the new one.
 */
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

/** The refusal that an error of SQLite or of the system calls for at the opening; any other error comes back as it is. */
export const asRefusal = (error: unknown): unknown =>
  error instanceof SQLiteError || isSystemError(error) ? refusal(reasonOf(error), { cause: error }) : error;

const isSystemError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'syscall' in error && 'code' in error;

/** Why the file cannot be opened, told by the code of the error. Only two of them say that something is wrong with the file. */
const reasonOf = ({ code = '' }: { readonly code?: string | undefined }): string => {
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) return 'is not a SQLite database, or is damaged';
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return 'is locked by another program';
  return `cannot be opened (${code}): see its permissions and those of its folder`;
};

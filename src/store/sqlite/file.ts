import { SQLiteError } from 'bun:sqlite';
import { chmodSync, existsSync, statSync } from 'node:fs';
import { codeOf, OperatorError } from '../../base/error.ts';
import { realPathOf } from '../../base/real-path.ts';
import { systemReasonOf } from '../../base/system-error.ts';

/** The suffixes of the files that SQLite creates beside a database. */
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

/** Throws OperatorError if there is a log at `path` without its database: SQLite would write it into the new one. */
export const refuseIfLogRemains = (path: string): void => {
  for (const log of [`${path}-wal`, `${path}-journal`]) {
    if (existsSync(log)) {
      throw new OperatorError(`${log} is the log of another database. Move it away first.`);
    }
  }
};

/** The error for a database file that this program does not open. */
export const refusal = (path: string, reason: string, options?: ErrorOptions): OperatorError =>
  new OperatorError(`Database ${path} ${reason}. It was not changed.`, options);

/** The refusal for an error of SQLite or of the system while opening. Any other error is returned unchanged. */
export const asRefusal = (path: string, error: unknown): unknown => {
  if (!(error instanceof SQLiteError) && systemReasonOf(error) === undefined) return error;
  return refusal(path, reasonOf(error), { cause: error });
};

const reasonOf = (error: unknown): string => {
  const code = codeOf(error) ?? '';
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) return 'is not a SQLite database, or is damaged';
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return 'is locked by another program';
  const reason = code === 'SQLITE_READONLY' ? 'it is read-only' : (systemReasonOf(error) ?? code);
  return `cannot be opened: ${reason}. Check the permissions of the file and its folder`;
};

import { SQLiteError } from 'bun:sqlite';
import { AppError } from '../../domain/error.ts';

/**
 * What an error of the engine means to a caller, told by SQLite's result code and never by its text
 * (https://www.sqlite.org/rescode.html). Anything that is not listed is a defect and comes back as it is.
 */
export const asAppError = (error: unknown): unknown => {
  if (isDiskFailure(error)) {
    return new AppError(
      'outcome_unknown',
      'The disk failed; whether the change was kept is unknown.',
      {},
      { cause: error },
    );
  }
  if (error instanceof SQLiteError && error.code !== undefined && passing.has(error.code)) {
    return new AppError(
      'unavailable',
      'The store cannot write at the moment; nothing was changed.',
      {},
      { cause: error },
    );
  }
  return error;
};

/** After a failed read, write or sync the kernel may have dropped pages that SQLite holds for written. */
export const isDiskFailure = (error: unknown): error is SQLiteError =>
  error instanceof SQLiteError && (error.code?.startsWith('SQLITE_IOERR') ?? false);

/** SQLite has rolled back, and the same call may well succeed later. */
const passing = new Set([
  'SQLITE_FULL',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_LOCKED',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]);

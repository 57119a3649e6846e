import { SQLiteError } from 'bun:sqlite';
import { AppError, diskFailed, fileReplaced, unreadable, unwritable } from '../../domain/error.ts';
import { Displaced } from './in-place.ts';

/**
 * What an error of the engine means to a caller, told by SQLite's result code and never by its text
 * (https://www.sqlite.org/rescode.html). Anything that is not listed is a defect and comes back as it is.
 */
export const toAppError = (error: unknown, during: 'read' | 'write'): unknown => {
  if (!isFatal(error) && !isTransient(error) && !isUnreadable(error)) return error;
  if (during === 'read') return new AppError(unreadable, { cause: error });
  return new AppError(isDiskFailure(error) ? diskFailed : unwritable, { cause: error });
};

/** The error for a change that was committed, but to a file that may not be found again. */
export const unknownAfterCommit = (cause: unknown): AppError => new AppError(fileReplaced, { cause });

/** Why a store has stopped, for the operator. */
export interface Fatal {
  readonly kind: 'displaced' | 'disk_failed';
  readonly message: string;
  readonly cause: Error;
}

export const toFatal = (cause: Error): Fatal =>
  cause instanceof Displaced
    ? { kind: 'displaced', message: cause.message, cause }
    : { kind: 'disk_failed', message: 'the disk failed', cause };

/** Whether the process must stop, because it no longer knows what is on the disk. */
export const isFatal = (error: unknown): error is Error => isDiskFailure(error) || error instanceof Displaced;

/** After a failed read, write or sync the kernel may have dropped pages that SQLite holds for written. */
export const isDiskFailure = (error: unknown): error is SQLiteError =>
  error instanceof SQLiteError && (error.code?.startsWith('SQLITE_IOERR') ?? false);

/** Nothing was written, and the same call may well succeed later. */
const isTransient = (error: unknown): boolean => error instanceof SQLiteError && transient.has(error.code ?? '');

/** A page that is damaged, or that the disk did not give: SQLite does not tell these apart. Nothing was written. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof SQLiteError && (error.code?.startsWith('SQLITE_CORRUPT') ?? false);

const transient = new Set([
  'SQLITE_FULL',
  'SQLITE_BUSY',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_BUSY_RECOVERY',
  'SQLITE_LOCKED',
  'SQLITE_CANTOPEN',
  'SQLITE_READONLY',
]);

/** Whether another connection holds the lock. */
export const isLocked = (error: unknown): boolean =>
  error instanceof SQLiteError && (error.code?.startsWith('SQLITE_BUSY') ?? false);

/** How long a call waits for another process to release the database. */
export const patienceMs = 5000;

/** How long it pauses between two attempts. */
export const lockedPauseMs = 5;

/**
 * Tries until no other process holds the lock, or for `patienceMs`. SQLite's own way to wait holds up the whole program, and
 * one waiting call after the other; this one lets the rest run. An attempt that fails must leave nothing behind.
 */
export const whileLocked = async <Result>(attempt: () => Result): Promise<Result> => {
  const endsAtMs = performance.now() + patienceMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isLocked(error) || performance.now() > endsAtMs) throw error;
    }
    await Bun.sleep(lockedPauseMs);
  }
};

/** Whether a row was refused because there is one with its primary key. */
export const isTakenKey = (error: unknown): boolean =>
  error instanceof SQLiteError && error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY';

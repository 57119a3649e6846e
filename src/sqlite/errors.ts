import { setTimeout } from 'node:timers/promises';
import { AppError, damaged, diskFailed, unreadable, unwritable } from '../base/app-error.ts';
import { codeOf, OperatorError, systemReasonOf } from '../base/error.ts';
import { isDiskFull } from '../base/error-report.ts';

/**
 * Converts an error of the engine for a caller, by SQLite's result code (https://www.sqlite.org/rescode.html). Any other error
 * is a defect and is returned unchanged.
 */
export const toAppError = (error: unknown, during: 'read' | 'write'): unknown => {
  if (isDamage(error)) return new AppError(damaged, { cause: error });
  if (!isFatal(error) && !isTemporary(error)) return error;
  if (during === 'read') return new AppError(unreadable, { cause: error });
  return new AppError(isDiskFailure(error) ? diskFailed : unwritable, { cause: error });
};

/** The reason why a store has stopped, for the operator. */
export interface Fatal {
  readonly kind: 'file_replaced' | 'disk_failed';
  readonly message: string;
  readonly cause: Error;
}

export const toFatal = (cause: Error): Fatal =>
  cause instanceof FileReplaced
    ? { kind: 'file_replaced', message: cause.message, cause }
    : { kind: 'disk_failed', message: 'the disk failed', cause };

/** Whether the process must stop, because the state of the disk is unknown. */
export const isFatal = (error: unknown): error is Error => isDiskFailure(error) || error instanceof FileReplaced;

/** After a failed read, write or sync the kernel may have dropped pages that SQLite assumes to be written. */
export const isDiskFailure = (error: unknown): error is Error => hasCode(error, /^SQLITE_IOERR/);

/** Nothing was written, and the same call may succeed later. */
const isTemporary = (error: unknown): boolean =>
  hasCode(error, /^SQLITE_(?:FULL|BUSY|BUSY_SNAPSHOT|BUSY_RECOVERY|LOCKED|CANTOPEN|READONLY)$/);

/** The file is damaged, or a read of it has failed: `damage.ts` finds out which. */
export const isDamage = (error: unknown): boolean => hasCode(error, /^SQLITE_(?:CORRUPT|NOTADB)/);

/** Whether another connection has the lock. */
export const isLocked = (error: unknown): boolean => hasCode(error, /^SQLITE_BUSY/);

export const isTakenKey = (error: unknown): boolean => hasCode(error, /^SQLITE_CONSTRAINT_PRIMARYKEY$/);

export const isSqliteError = (error: unknown): boolean => hasCode(error, /^SQLITE_/);

const hasCode = (error: unknown, form: RegExp): boolean => form.test(codeOf(error) ?? '');

/** A file of the database was replaced, removed or truncated while it was in use. All further reads and writes must be refused. */
export class FileReplaced extends Error {
  override readonly name = 'FileReplaced';
}

/** Confirmed changes are in a part of the log that SQLite does not read. */
export class DamagedLog extends Error {
  override readonly name = 'DamagedLog';
  readonly code = 'SQLITE_CORRUPT';
}

export const openError = (path: string, reason: string, options?: ErrorOptions): OperatorError =>
  new OperatorError(`Database ${path} ${reason}. It was not changed.`, options);

/** The error to throw for one of SQLite or of the system while opening. Any other error is returned unchanged. */
export const toOpenError = (path: string, error: unknown): unknown => {
  if (!isSqliteError(error) && systemReasonOf(error) === undefined) return error;
  return openError(path, reasonOf(error), { cause: error });
};

const reasonOf = (error: unknown): string => {
  const code = codeOf(error) ?? '';
  if (code === 'SQLITE_NOTADB') return 'is not a SQLite database, or is damaged';
  if (error instanceof DamagedLog)
    return 'is damaged in its log (-wal); restore a backup, or move the log away, which loses all changes in it';
  if (isDamage(error)) return 'is damaged; restore a backup';
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code)) return 'is locked by another program';
  if (isDiskFull(error)) return 'cannot be opened: the disk is full';
  const reason = code === 'SQLITE_READONLY' ? 'it is read-only' : (systemReasonOf(error) ?? code);
  return `cannot be opened: ${reason}. Check the permissions of the file and its folder`;
};

/** @limit Database | Wait for another process to release the SQLite database | 503 */
export const busyTimeoutMs = 5000;

export const busyRetryMs = 5;

/**
 * Tries until no other process has the lock, for at most `busyTimeoutMs`. SQLite's own wait would block the event loop. A failed
 * attempt must have no effect.
 */
export const retryWhileLocked = async <Result>(attempt: () => Result): Promise<Result> => {
  const endsAtMs = performance.now() + busyTimeoutMs;
  for (;;) {
    try {
      return attempt();
    } catch (error) {
      if (!isLocked(error) || performance.now() > endsAtMs) throw error;
    }
    await setTimeout(busyRetryMs);
  }
};

import type { Database } from 'bun:sqlite';
import { AppError } from '../../domain/error.ts';
import { asAppError, isDiskFailure, whileBusy } from './failure.ts';

/** Runs `change` in one transaction and resolves to its result once that transaction is on the disk. */
export type Commit = <Result>(change: () => Result) => Promise<Result>;

/**
 * The one way to write. `change` is synchronous: SQLite has one writer, and an `await` inside a transaction would let
 * other work in. What it throws rolls back. When the disk fails, the outcome is unknown: the caller is told so, `onFatal`
 * is called once so that the process can stop, and nothing is written any more.
 */
export const createCommit = (client: Database, onFatal?: (error: Error) => void): Commit => {
  const begin = client.prepare('BEGIN IMMEDIATE');
  const commit = client.prepare('COMMIT');
  const rollback = client.prepare('ROLLBACK');
  let failed = false;

  const transact = <Result>(change: () => Result): Result => {
    begin.run();
    try {
      const result = change();
      commit.run();
      return result;
    } catch (error) {
      if (client.inTransaction && !isDiskFailure(error)) rollback.run();
      throw error;
    }
  };

  return async (change) => {
    if (failed) throw new AppError('unavailable', 'The store has stopped after a disk failure; nothing was changed.');
    try {
      return await whileBusy(() => transact(change));
    } catch (error) {
      if (isDiskFailure(error)) {
        failed = true;
        onFatal?.(error);
      }
      throw asAppError(error, 'write');
    }
  };
};

import { AppError, fileReplaced, storeStopped, tooManyWrites } from '../../app-error.ts';
import type { SqliteClient } from '../../runtime/runtime.ts';
import { endBatch, type QueuedWrite, type StoreObserver } from '../observer.ts';
import { busyTimeoutMs, isFatal, isLocked, toAppError } from './errors.ts';

/**
 * Runs `change` in a transaction and resolves to its result once that transaction is on the disk. `traceparent` is that of the
 * request for it.
 */
export type Commit = <Result>(change: () => Result, traceparent?: string) => Promise<Result>;

export interface CommitOptions {
  /** Called before a transaction begins; the client must not be in one. If it throws, all queued writes are rejected with that error. */
  readonly beforeBegin?: () => void;
  /** Called when a transaction is on the disk. When it throws, no write of it is acknowledged. */
  readonly afterCommit?: () => void;
  readonly onFatal?: ((error: Error) => void) | undefined;
  /** Receives the reports of the store. Default: none. */
  readonly observer?: StoreObserver | undefined;
}

/**
 * The number of writes in a transaction. It is limited because reads wait for it.
 *
 * @limit Database | Writes in one transaction of SQLite | Others wait for the next transaction.
 */
export const batchMax = 256;

/** @limit Database | Writes that wait for SQLite | 503 */
export const queueMax = 4096;

/**
 * Group commit. A COMMIT costs one sync, whatever it contains, so writes that arrive during a sync share the next one. There is
 * no timer: a lone write is committed at the end of its turn.
 *
 * A failed write does not affect the others. Few writes fail, so the batch first runs without a savepoint for each write. When one
 * fails, all are rolled back and run again, each in its own savepoint. So `change` may run twice, and it is synchronous: during an
 * `await`, other code could use the transaction. All are settled in their order, once they are on the disk.
 *
 * When the disk fails, or the database file was replaced, the outcome of the whole batch is unknown: its callers get that
 * error, `onFatal` is called so that the process can stop, and all later writes are rejected.
 */
export const createCommit = (
  client: SqliteClient,
  /** They schedule a call of `flush` in this turn or the next one, or after a pause. */
  { schedule, scheduleLater }: Record<'schedule' | 'scheduleLater', () => void>,
  { beforeBegin, afterCommit, onFatal, observer }: CommitOptions,
): { commit: Commit; flush: () => void; queued: () => number; close: () => void } => {
  const begin = client.prepare('BEGIN IMMEDIATE');
  const end = client.prepare('COMMIT');
  const rollback = client.prepare('ROLLBACK');
  const savepoint = client.prepare('SAVEPOINT undoable');
  const release = client.prepare('RELEASE undoable');
  const undo = client.prepare('ROLLBACK TO undoable');
  const queue: Write[] = [];
  let isClosed = false;

  const flush = (): void => {
    if (queue.length === 0 || !hasBegun()) return;
    commitBatch(queue.splice(0, batchMax));
    if (queue.length > 0) schedule();
  };

  const hasBegun = (): boolean => {
    try {
      beforeBegin?.();
      begin.run();
      return true;
    } catch (error) {
      if (isLocked(error)) keepWaiting(error);
      else rejectAll(queue.splice(0), error);
      return false;
    }
  };

  const commitBatch = (batch: readonly Write[]): void => {
    const startedAtMs = performance.now();
    let hasCommitted = false;
    let outcomes: Settle[];
    try {
      outcomes = runAll(batch);
      end.run();
      hasCommitted = true;
      afterCommit?.();
    } catch (error) {
      if (client.inTransaction && !isFatal(error)) rollback.run();
      observer?.onBatch?.(endBatch(batch, startedAtMs, false));
      rejectAll(batch, error, hasCommitted ? new AppError(fileReplaced, { cause: error }) : toAppError(error, 'write'));
      return;
    }
    observer?.onBatch?.(endBatch(batch, startedAtMs, true));
    for (const settle of outcomes) settle();
  };

  const runAll = (batch: readonly Write[]): Settle[] => {
    savepoint.run();
    try {
      return batch.map((write) => write.run());
    } catch (error) {
      undoUnlessEnded(error);
      return batch.map(runAlone);
    }
  };

  const runAlone = ({ run, reject }: Write): Settle => {
    savepoint.run();
    let settle: Settle;
    try {
      settle = run();
    } catch (error) {
      undoUnlessEnded(error);
      settle = () => reject(toAppError(error, 'write'));
    }
    release.run();
    return settle;
  };

  const undoUnlessEnded = (error: unknown): void => {
    if (isFatal(error) || !client.inTransaction) throw error;
    undo.run();
  };

  /** Another process writes. Writes that have waited for too long are rejected. */
  const keepWaiting = (error: unknown): void => {
    const latestMs = performance.now() - busyTimeoutMs;
    while (queue[0] !== undefined && queue[0].queuedAtMs < latestMs) rejectAll(queue.splice(0, 1), error);
    if (queue.length > 0) scheduleLater();
  };

  const rejectAll = (writes: readonly Write[], error: unknown, reason = toAppError(error, 'write')): void => {
    for (const write of writes) write.reject(reason);
    if (!isFatal(error)) return;
    close();
    onFatal?.(error);
  };

  /** Rejects all queued writes, and all later ones. */
  const close = (): void => {
    isClosed = true;
    rejectAll(queue.splice(0), new AppError(storeStopped));
  };

  const commit: Commit = (change, traceparent) =>
    new Promise((resolve, reject) => {
      if (isClosed) throw new AppError(storeStopped);
      if (queue.length === queueMax) throw new AppError(tooManyWrites);
      const run = (): Settle => {
        const result = change();
        return () => resolve(result);
      };
      queue.push({ queuedAtMs: performance.now(), traceparent, run, reject });
      schedule();
    });
  return { commit, flush, queued: () => queue.length, close };
};

interface Write extends QueuedWrite {
  run(): Settle;
  reject(reason: unknown): void;
}

/** Settles the promise of a write. Called once the write is on the disk. */
type Settle = () => void;

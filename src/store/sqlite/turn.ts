/**
 * What arrived in one turn of the event loop is read in one transaction, and then written in another.
 *
 * A turn of the store is two immediates, one directly behind the other. The first begins a transaction and runs all reads
 * that wait. The microtasks between the two continue the requests: a read that they issue runs at once, in the same
 * transaction, and a write that they issue is queued. The second ends the transaction and commits the writes. So a request
 * costs no transaction of its own, and waits for one turn, however often it reads before it writes.
 *
 * Bun polls for no input between two such immediates. A request is therefore never read for in a transaction that is older
 * than the request, and a token that another process has revoked is refused at the very next request.
 */
import type { Database } from 'bun:sqlite';
import { type Commit, type CommitOptions, createCommit } from './commit.ts';
import { isLocked, lockedPauseMs, patienceMs, toAppError } from './failure.ts';

export interface TurnOptions extends CommitOptions {
  /** Called before a read when another connection, of whatever process, has committed since the last turn that read. */
  readonly afterForeignCommit?: () => void;
}

export interface Turn {
  /**
   * Resolves to the result of a query on what is committed when it runs. The query leaves no iterator open, and does not
   * write. A lock of another process is waited for, without blocking, for at most `patienceMs`.
   */
  readonly read: <Result>(query: () => Result) => Promise<Result>;
  readonly commit: Commit;
  /** Ends the transaction of the reads, if there is one. */
  readonly endReads: () => void;
  /** Refuses all later reads. Called before the client is closed. */
  readonly close: () => void;
}

export const createTurn = (client: Database, { afterForeignCommit, ...options }: TurnOptions = {}): Turn => {
  const begin = client.prepare('BEGIN');
  const end = client.prepare('ROLLBACK');
  const dataVersion = client.prepare<{ data_version: bigint }, []>('PRAGMA data_version');
  let version: bigint | undefined;
  /** The beginning of the next transaction, absent when no read waits for it. */
  let next: Beginning | undefined;
  let isScheduled = false;
  let isPausing = false;
  let isReading = false;
  let isClosed = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startReads);
    setImmediate(endTurn);
  };

  /** After a lock of another process was met. */
  const scheduleLater = (): void => {
    if (isPausing) return;
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      schedule();
    }, lockedPauseMs);
  };

  const startReads = (): void => {
    isScheduled = false;
    if (!next) return;
    const { resolve, reject, endsAtMs } = next;
    try {
      beginReads();
      resolve();
    } catch (error) {
      endReads();
      if (isLocked(error) && performance.now() < endsAtMs) {
        scheduleLater();
        return;
      }
      reject(toAppError(error, 'read'));
    }
    next = undefined;
  };

  const endTurn = (): void => {
    endReads();
    flush();
  };

  const { commit, flush } = createCommit(client, { schedule, scheduleLater }, options);

  const beginReads = (): void => {
    if (isClosed) throw new Error('The store is closed.');
    options.beforeBegin?.();
    // A database in memory has one client, and an import may have borrowed it.
    if (client.inTransaction) return;
    begin.run();
    isReading = true;
    // The first query of the transaction takes the snapshot.
    const present = dataVersion.get()?.data_version;
    if (present !== version) afterForeignCommit?.();
    version = present;
  };

  const endReads = (): void => {
    if (!isReading) return;
    isReading = false;
    if (client.inTransaction) end.run();
  };

  const beginning = (): Promise<void> => {
    schedule();
    next ??= { ...Promise.withResolvers<void>(), endsAtMs: performance.now() + patienceMs };
    return next.promise;
  };

  return {
    read: (query) => (isReading ? Promise.try(attempt, query) : beginning().then(() => attempt(query))),
    commit,
    endReads,
    close: () => {
      endReads();
      isClosed = true;
    },
  };
};

interface Beginning extends PromiseWithResolvers<void> {
  /** When it has waited for another process long enough, by the monotonic clock. */
  readonly endsAtMs: number;
}

const attempt = <Result>(query: () => Result): Result => {
  try {
    return query();
  } catch (error) {
    throw toAppError(error, 'read');
  }
};

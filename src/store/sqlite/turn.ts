/**
 * All reads of one turn of the event loop share one transaction, and all its writes another.
 *
 * A turn of the store is two immediates, one directly after the other. The first begins a transaction and runs the queued
 * reads. The microtasks between the two continue the requests: their further reads run immediately in the same transaction, and
 * their writes are queued. The second ends the transaction and commits the writes. So a request waits for one turn, for any
 * number of reads before its write.
 *
 * Bun does not poll for input between the two. A transaction is therefore never older than the request that it reads for, and
 * a token that another process has revoked is refused at the next request.
 *
 * A result resolves in a microtask, so a loop over reads would never end the turn. After `turnReadMs`, reads wait for the next one.
 */
import type { SqliteClient } from '../../runtime/runtime.ts';
import { type CommitOptions, createCommit } from './commit.ts';
import { busyRetryMs, busyTimeoutMs, isLocked, toAppError } from './errors.ts';

export interface TurnOptions extends CommitOptions {
  /** How long the reads of one turn of the event loop may take together; others wait for the next turn. Default: no limit. */
  readonly turnReadMs?: number | undefined;
}

export type Turn = ReturnType<typeof createTurn>;

export const createTurn = (
  client: SqliteClient,
  { turnReadMs = Number.POSITIVE_INFINITY, ...options }: TurnOptions = {},
) => {
  const begin = client.prepare('BEGIN');
  const end = client.prepare('ROLLBACK');
  const readDataVersion = client.prepare<{ data_version: bigint }>('PRAGMA data_version');
  let dataVersion: bigint | undefined;
  /** The beginning of the next transaction. Absent when no read waits. */
  let next: Beginning | undefined;
  let isScheduled = false;
  let isPausing = false;
  let isReading = false;
  /** The end of the reads of this turn, by the monotonic clock. */
  let readsEndAtMs = 0;
  let isClosed = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(startReads);
    setImmediate(endTurn);
  };

  /** Called while another process has the lock. */
  const scheduleLater = (): void => {
    if (isPausing) return;
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      schedule();
    }, busyRetryMs);
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

  const { commit, flush, queued, close: closeCommit } = createCommit(client, { schedule, scheduleLater }, options);

  const beginReads = (): void => {
    if (isClosed) throw new Error('The store is closed.');
    options.beforeBegin?.();
    readsEndAtMs = performance.now() + turnReadMs;
    // A database in memory has one client, and an import may have borrowed it.
    if (client.inTransaction) return;
    begin.run();
    isReading = true;
    // The first query of the transaction takes the snapshot.
    dataVersion = readDataVersion.all()[0]?.data_version;
  };

  const endReads = (): void => {
    if (!isReading) return;
    isReading = false;
    if (client.inTransaction) end.run();
  };

  const beginning = (): Promise<void> => {
    schedule();
    next ??= { ...Promise.withResolvers<void>(), endsAtMs: performance.now() + busyTimeoutMs };
    return next.promise;
  };

  const isOver = (): boolean => performance.now() > readsEndAtMs;

  /**
   * Resolves to the result of a query on the data that is committed when it runs. The query leaves no iterator open, and does not
   * write. It waits for a lock of another process, without blocking, for at most `busyTimeoutMs`.
   */
  const read = async <Result>(query: () => Result): Promise<Result> => {
    if (!isReading || isOver()) {
      do await beginning();
      while (isOver());
    }
    try {
      return query();
    } catch (error) {
      throw toAppError(error, 'read');
    }
  };

  return {
    read,
    commit,
    queued,
    /** During a read, it differs from that of an earlier turn if another connection, of any process, has committed since. */
    dataVersion: (): bigint | undefined => dataVersion,
    endReads,
    /** Refuses all later reads and writes. Called before the client is closed. */
    close: (): void => {
      endReads();
      closeCommit();
      isClosed = true;
    },
  };
};

interface Beginning extends PromiseWithResolvers<void> {
  /** The end of its wait for another process, by the monotonic clock. */
  readonly endsAtMs: number;
}

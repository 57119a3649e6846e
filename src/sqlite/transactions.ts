/**
 * The transactions of the store on its one connection. All reads of one turn of the event loop share one, and all its writes another.
 *
 * A result resolves in a microtask, so a loop over reads would never end the turn. After `turnReadMs`, reads wait for the next one.
 *
 * A COMMIT costs one sync, whatever it contains, so writes that arrive during a sync share the next one. There is no timer: a lone
 * write is committed at the end of its turn. Writes are settled in their order, once they are on the disk.
 *
 * When the disk fails, or the database file was replaced, the outcome of the whole batch is unknown: its callers get that
 * error, `onFatal` is called so that the process can stop, and all later reads and writes are rejected. For damage, see `damage.ts`.
 */
import { damaged } from '../base/app-error.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { describeBatch, type StoreObserver } from '../storage/observer.ts';
import type { Topic } from '../storage/topic.ts';
import { createBatchTransaction } from './batch.ts';
import { createBulkTransactions, type WriteInBulk } from './bulk.ts';
import { neverBlocking } from './client.ts';
import { createDamage } from './damage.ts';
import { busyTimeoutMs, type Fatal, isDamage, isFatal, isLocked, toAppError, toFatal } from './errors.ts';
import type { FileIdentity } from './file.ts';
import { createFileWatch } from './file-watch.ts';
import { createQueue, type Settle, type Write } from './queue.ts';
import { createSnapshot } from './snapshot.ts';
import { createTurns } from './turns.ts';

export type Transactions = ReturnType<typeof createTransactions>;

export interface TransactionOptions {
  /** Called once when the disk fails or the files are replaced, and the process must stop. */
  readonly onFatal?: ((fatal: Fatal) => void) | undefined;
  /** Receives the reports of the store. Default: none. */
  readonly observer?: StoreObserver | undefined;
  /** How long the reads of one turn of the event loop may take together; others wait for the next turn. Default: no limit. */
  readonly turnReadMs?: number | undefined;
  /** The time of changes to plants, of new webhooks and of test messages. Default: the system's clock. */
  readonly now?: () => Date;
}

/** A change to the data. It sets `eventType` if it appends an event to the log. */
type Change<Result> = (write: Pick<Write, 'traceparent' | 'eventType'>) => Result;

/** Shares a client for all reads and writes of the store, until `close`. */
export const createTransactions = (
  client: SqliteClient,
  files: FileIdentity,
  { onFatal, observer = {}, turnReadMs = Number.POSITIVE_INFINITY, now = () => new Date() }: TransactionOptions = {},
) => {
  const queue = createQueue();
  const damage = createDamage(client.filename, () => queue.close(damaged));
  const snapshot = createSnapshot(client);
  const listeners = new Set<(topic: Topic) => void>();
  /** The beginning of the next snapshot, and the end of its wait for another process by the monotonic clock. Undefined when no read waits. */
  let next: (PromiseWithResolvers<void> & { readonly endsAtMs: number }) | undefined;
  /** The end of the reads of this turn, by the monotonic clock. */
  let readsEndAtMs = 0;
  let isClosed = false;
  let hasFailed = false;

  const fail = (error: Error): void => {
    queue.close();
    if (!hasFailed) onFatal?.(toFatal(error));
    hasFailed = true;
  };
  const watch = createFileWatch(client, snapshot, files, fail);
  const bulk = createBulkTransactions(client, snapshot, watch, damage);

  const refuse = (write: Write, error: unknown): void => {
    if (!isDamage(error)) write.reject(toAppError(error, 'write'));
    else void damage.toAppError(error, 'write', () => batches.rehearse(write)).then(write.reject);
  };
  const batches = createBatchTransaction(client, refuse);

  const startReads = (): void => {
    if (!next) return;
    const { resolve, reject, endsAtMs } = next;
    try {
      if (isClosed) throw new Error('The store is closed.');
      watch.throwIfIndexReplaced();
      readsEndAtMs = performance.now() + turnReadMs;
      snapshot.begin();
      resolve();
    } catch (error) {
      snapshot.end();
      if (isLocked(error) && performance.now() < endsAtMs) {
        scheduleLater();
        return;
      }
      void damage.toAppError(error, 'read', snapshot.begin).then(reject);
    }
    next = undefined;
  };

  const commitQueued = (): void => {
    // The reads of this turn began with a look at the files.
    const isWatched = snapshot.end();
    if (queue.size() === 0 || !hasBegun(isWatched)) return;
    commitBatch(queue.takeBatch());
    if (queue.size() > 0) schedule();
  };

  const hasBegun = (isWatched: boolean): boolean => {
    try {
      if (!isWatched) watch.throwIfIndexReplaced();
      batches.begin();
      return true;
    } catch (error) {
      if (isLocked(error) && queue.size() > 0) scheduleLater();
      rejectAll(isLocked(error) ? queue.takeLate() : queue.takeAll(), error);
      return false;
    }
  };

  const commitBatch = (batch: readonly Write[]): void => {
    const startedAtMs = performance.now();
    let outcomes: Settle[];
    try {
      outcomes = batches.commit(batch);
      watch.expectCommitted();
    } catch (error) {
      if (isLocked(error)) queue.putBack(batch);
      else {
        observer.onBatch?.(describeBatch(batch, startedAtMs, false));
        rejectAll(batch, error);
      }
      return;
    }
    observer.onBatch?.(describeBatch(batch, startedAtMs, true));
    for (const settle of outcomes) settle();
  };

  const rejectAll = (writes: readonly Write[], error: unknown): void => {
    for (const write of writes) refuse(write, error);
    if (isFatal(error)) fail(error);
  };

  const beginning = (): Promise<void> => {
    schedule();
    next ??= { ...Promise.withResolvers<void>(), endsAtMs: performance.now() + busyTimeoutMs };
    return next.promise;
  };

  const isOver = (): boolean => performance.now() > readsEndAtMs;

  const { schedule, scheduleLater } = createTurns({ begin: startReads, end: commitQueued });

  const announce = (topic: Topic): void => {
    for (const listener of listeners) listener(topic);
  };

  return {
    client: neverBlocking(client),
    observer,
    now,
    /**
     * Resolves to the result of a query on the data that is committed when it runs. The query leaves no iterator open, and does not
     * write. It waits for a lock of another process, without blocking, for at most `busyTimeoutMs`.
     */
    read: async <Result>(query: () => Result): Promise<Result> => {
      if (!snapshot.isOpen() || isOver()) {
        do await beginning();
        while (isOver());
      }
      try {
        return query();
      } catch (error) {
        throw await damage.toAppError(error, 'read', query);
      }
    },
    /**
     * Makes a change in a transaction, and resolves to its result once that is on the disk. Then reports its event, and calls the
     * subscribers to the topic. `traceparent` is that of the request for the change.
     */
    transact: <Result>(change: Change<Result>, topic?: Topic, traceparent?: string): Promise<Result> =>
      new Promise((resolve, reject) => {
        const write: Write = {
          queuedAtMs: performance.now(),
          traceparent,
          run: () => {
            write.eventType = undefined;
            const result = change(write);
            return () => {
              resolve(result);
              if (write.eventType) observer.onEvents?.(write.eventType, 1);
              if (topic) announce(topic);
            };
          },
          reject,
        };
        queue.add(write);
        schedule();
      }),
    queued: queue.size,
    isDamaged: damage.isFound,
    dataVersion: snapshot.dataVersion,
    /** Commits the changes of `write` to a client that is open over many awaits, and calls the subscribers to events. */
    commitInBulk: async <Result>(write: WriteInBulk<Result>): Promise<Result> => {
      const result = await bulk.write(write);
      announce('event');
      return result;
    },
    readInBulk: bulk.read,
    /** Returns a function that ends the subscription. */
    subscribe: (listener: (topic: Topic) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Closes the client. All later reads and writes are rejected. */
    close: (): void => {
      watch.close();
      snapshot.end();
      queue.close();
      isClosed = true;
      client.close();
    },
  };
};

import type { Failure } from '../base/app-error.ts';
import { AppError, storeStopped, tooManyWrites } from '../base/app-error.ts';
import type { QueuedWrite } from '../storage/observer.ts';
import { busyTimeoutMs } from './errors.ts';

export interface Write extends QueuedWrite {
  /** The type of the event that its change has appended to the log, if any. */
  eventType?: string | undefined;
  /** Makes the change. Returns the function that settles its promise, to be called once the change is on the disk. */
  run(): Settle;
  reject(reason: unknown): void;
}

export type Settle = () => void;

/**
 * The number of writes in a transaction. It is limited because reads wait for it.
 *
 * @limit Database | Writes in one transaction of SQLite | others wait for the next transaction
 */
export const batchMax = 256;

/** @limit Database | Writes that wait for SQLite | 503 */
export const queueMax = 4096;

/** The writes that wait for their transaction, oldest first. */
export const createQueue = () => {
  const writes: Write[] = [];
  let closed: Failure | undefined;
  return {
    size: (): number => writes.length,
    /** Throws AppError `unavailable` if there are too many, and the reason of `close` after that. */
    add: (write: Write): void => {
      if (closed) throw new AppError(closed);
      if (writes.length === queueMax) throw new AppError(tooManyWrites);
      writes.push(write);
    },
    takeBatch: (): Write[] => writes.splice(0, batchMax),
    /** They are the next ones again. */
    putBack: (batch: readonly Write[]): void => void writes.unshift(...batch),
    takeAll: (): Write[] => writes.splice(0),
    /** Takes those that have waited for too long. */
    takeLate: (): Write[] => {
      const latestMs = performance.now() - busyTimeoutMs;
      const first = writes.findIndex(({ queuedAtMs }) => queuedAtMs >= latestMs);
      return writes.splice(0, first === -1 ? writes.length : first);
    },
    /** Rejects all writes, and all later ones. */
    close: (reason: Failure = storeStopped): void => {
      closed ??= reason;
      for (const write of writes.splice(0)) write.reject(new AppError(reason));
    },
  };
};

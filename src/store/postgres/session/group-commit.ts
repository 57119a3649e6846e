/**
 * Group commit. Changes to plants that arrive while a batch is being committed form the next one, so that one transaction, one round
 * trip and one sync serve them all. There is no timer: a lone change is sent at the end of its turn of the event loop.
 */
import { AppError, tooManyWrites, unwritable } from '../../../domain/error.ts';
import { endBatch, type QueuedWrite, type StoreObserver } from '../../observer.ts';

export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/** `commit` resolves to the outcome of each write, in their order, once all are committed. When it rejects, so do all of them. */
export const createBatcher = <Write, Result>(
  commit: (writes: readonly Write[]) => Promise<readonly Outcome<Result>[]>,
  { onBatch }: StoreObserver = {},
) => {
  const queue: Waiting<Write, Result>[] = [];
  let isBusy = false;

  const schedule = (): void => {
    if (isBusy || queue.length === 0) return;
    isBusy = true;
    setImmediate(flush);
  };

  const flush = async (): Promise<void> => {
    const latestMs = performance.now() - waitMsMax;
    while (queue[0] !== undefined && queue[0].queuedAtMs < latestMs) queue.shift()?.reject(new AppError(unwritable));
    const batch = queue.splice(0, batchMax);
    if (batch.length > 0) await commitBatch(batch);
    isBusy = false;
    schedule();
  };

  const commitBatch = async (batch: readonly Waiting<Write, Result>[]): Promise<void> => {
    const startedAtMs = performance.now();
    try {
      const outcomes = await commit(batch.map(({ write }) => write));
      onBatch?.(endBatch(batch, startedAtMs, true));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome && 'result' in outcome) resolve(outcome.result);
        else reject(outcome?.error);
      }
    } catch (error) {
      onBatch?.(endBatch(batch, startedAtMs, false));
      for (const { reject } of batch) reject(error);
    }
  };

  return {
    /** Adds a write to a batch and resolves to its result. `traceparent` is that of the request for it. */
    add: (write: Write, traceparent?: string): Promise<Result> =>
      new Promise((resolve, reject) => {
        if (queue.length === queueMax) throw new AppError(tooManyWrites);
        queue.push({ write, traceparent, resolve, reject, queuedAtMs: performance.now() });
        schedule();
      }),
    queued: () => queue.length,
  };
};

interface Waiting<Write, Result> extends QueuedWrite {
  readonly write: Write;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
}

/** @limit Database | Changes to plants in one transaction of PostgreSQL | Others wait for the next transaction. */
export const batchMax = 512;

/** @limit Database | Changes to plants that wait for PostgreSQL | 503 */
export const queueMax = 4096;

/** How long a change may wait for its batch. */
const waitMsMax = 1500;

/**
 * Group commit. Changes to plants that arrive while a batch is being committed form the next one, so that one transaction, one round
 * trip and one sync serve them all. There is no timer: a lone change is sent at the end of its turn of the event loop.
 */
import { AppError, tooManyWrites, unwritable } from '../../domain/error.ts';

/** The outcome of one change of a batch. */
export type Outcome<Result> = { readonly result: Result } | { readonly refusal: unknown };

/** Returns a function that adds a change to a batch and resolves to its result. `commit` resolves to the outcome of each change, once all are committed. When it rejects, so do all of them. */
export const createBatcher = <Change, Result>(
  commit: (changes: readonly Change[]) => Promise<readonly Outcome<Result>[]>,
) => {
  const queue: Waiting<Change, Result>[] = [];
  let isBusy = false;

  const schedule = (): void => {
    if (isBusy || queue.length === 0) return;
    isBusy = true;
    setImmediate(flush);
  };

  const flush = async (): Promise<void> => {
    const latestMs = performance.now() - waitMsMax;
    while (queue[0] !== undefined && queue[0].sinceMs < latestMs) queue.shift()?.reject(new AppError(unwritable));
    const batch = queue.splice(0, batchMax);
    try {
      const outcomes = batch.length === 0 ? [] : await commit(batch.map(({ change }) => change));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome && 'result' in outcome) resolve(outcome.result);
        else reject(outcome?.refusal);
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    isBusy = false;
    schedule();
  };

  return (change: Change): Promise<Result> =>
    new Promise((resolve, reject) => {
      if (queue.length === queueMax) throw new AppError(tooManyWrites);
      queue.push({ change, resolve, reject, sinceMs: performance.now() });
      schedule();
    });
};

interface Waiting<Change, Result> {
  readonly change: Change;
  readonly resolve: (result: Result) => void;
  readonly reject: (reason: unknown) => void;
  /** By the monotonic clock. */
  readonly sinceMs: number;
}

/** How many changes share a transaction. */
export const batchMax = 512;

/** How many changes may wait. Others are refused at once. */
export const queueMax = 4096;

/** How long a change may wait for its batch. */
const waitMsMax = 1500;

/**
 * Group commit. Changes to plants that arrive while a batch is being committed form the next one, so that one transaction, one round
 * trip and one sync serve them all. A lone change is sent at the end of its turn of the event loop. Only after a slow commit may
 * changes wait for others: see `gather`.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError, tooManyWrites, unwritable } from '../../base/app-error.ts';
import { describeBatch, type QueuedWrite, type StoreObserver } from '../../storage/observer.ts';

export type Outcome<Result> = { readonly result: Result } | { readonly error: unknown };

/** `commit` resolves to the outcome of each write, in their order, once all are committed. When it rejects, so do all of them. */
export const createBatcher = <Write, Result>(
  commit: (writes: readonly Write[]) => Promise<readonly Outcome<Result>[]>,
  { onBatch }: StoreObserver = {},
) => {
  const queue: Waiting<Write, Result>[] = [];
  let isBusy = false;
  /** While changes are gathered: how many are expected, and the end of the wait. */
  let gathering: { readonly expected: number; readonly end: () => void } | undefined;

  const schedule = (): void => {
    if (isBusy || queue.length === 0) return;
    isBusy = true;
    setImmediate(flush);
  };

  const flush = async (): Promise<void> => {
    const latestMs = performance.now() - waitMsMax;
    while (queue[0] !== undefined && queue[0].queuedAtMs < latestMs) queue.shift()?.reject(new AppError(unwritable));
    const batch = queue.splice(0, batchMax);
    if (batch.length > 0) {
      const measure = startStopwatch();
      await commitBatch(batch);
      await gather(batch.length, measure());
    }
    isBusy = false;
    schedule();
  };

  /**
   * Waits after a slow commit until the clients that it answered have sent their next changes. Otherwise these always come too late for
   * the next batch, and each batch has only half of the clients. It waits no longer than the commit took, and only until the process
   * has had nothing to do for a tenth of that time. A process that was busy during the commit does not wait: it has used the time.
   */
  const gather = async (answered: number, commit: Duration): Promise<void> => {
    if (commit.ms < slowCommitMs || commit.idleMs < commit.ms / 2) return;
    const expected = Math.min(batchMax, queue.length + answered);
    if (queue.length >= expected) return;
    // The responses are written in this turn.
    await nextTurn();
    const limitMs = Math.min(commit.ms, gatherMsMax);
    const measure = startStopwatch();
    for (let wait = measure(); wait.ms < limitMs && wait.idleMs < limitMs / 10; wait = measure()) {
      if (queue.length >= expected) break;
      const { promise, resolve: end } = Promise.withResolvers<void>();
      gathering = { expected, end };
      const timer = setTimeout(end, 1);
      await promise;
      clearTimeout(timer);
    }
    gathering = undefined;
  };

  const commitBatch = async (batch: readonly Waiting<Write, Result>[]): Promise<void> => {
    const startedAtMs = performance.now();
    try {
      const outcomes = await commit(batch.map(({ write }) => write));
      onBatch?.(describeBatch(batch, startedAtMs, true));
      for (const [index, { resolve, reject }] of batch.entries()) {
        const outcome = outcomes[index];
        if (outcome && 'result' in outcome) resolve(outcome.result);
        else reject(outcome?.error);
      }
    } catch (error) {
      onBatch?.(describeBatch(batch, startedAtMs, false));
      for (const { reject } of batch) reject(error);
    }
  };

  return {
    /** Adds a write to a batch and resolves to its result. `traceparent` is that of the request for it. */
    add: (write: Write, traceparent?: string): Promise<Result> =>
      new Promise((resolve, reject) => {
        if (queue.length === queueMax) throw new AppError(tooManyWrites);
        queue.push({ write, traceparent, resolve, reject, queuedAtMs: performance.now() });
        if (gathering && queue.length >= gathering.expected) gathering.end();
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

/** @limit Database | Changes to plants in one transaction of PostgreSQL | others wait for the next transaction */
export const batchMax = 512;

/** @limit Database | Changes to plants that wait for PostgreSQL | 503 */
export const queueMax = 4096;

interface Duration {
  readonly ms: number;
  /** For how long this process used no CPU. */
  readonly idleMs: number;
}

const startStopwatch = (): (() => Duration) => {
  const startedAtMs = performance.now();
  const startedCpu = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(startedCpu);
    const ms = performance.now() - startedAtMs;
    return { ms, idleMs: ms - (user + system) / 1000 };
  };
};

/** The time of a commit that is worth a wait. The shortest wait is that of a timer, 1 ms. */
const slowCommitMs = 5;
/** The longest wait, however slow a commit was. */
const gatherMsMax = 100;

/** How long a change may wait for its batch. */
export const waitMsMax = 1500;

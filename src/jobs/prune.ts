import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, createClock } from '../base/time.ts';
import { type Log, logFailure } from '../log.ts';
import type { EventStore } from '../store/store.ts';

export interface PruneOptions {
  readonly events: EventStore;
  /** How long an event is kept. */
  readonly retentionMs: number;
  readonly log: Log;
  readonly clock?: Clock;
  /** How often to look for what is too old. */
  readonly everyMs?: number;
}

/** How many events are removed in one transaction. */
const batchMax = 200;

/** Removes events that are older than they are kept, at the start and then again and again. Returns a function that ends it. */
export const startPruning = ({
  events,
  retentionMs,
  log,
  clock = createClock(),
  everyMs = 60_000,
}: PruneOptions): (() => Promise<void>) => {
  const stopped = new AbortController();

  const removeOld = async (): Promise<void> => {
    // Events bear the time of the wall clock. By whichever clock is behind, so that a wrong one removes nothing too early.
    const nowMs = Math.min(Date.now(), clock.nowMs());
    const before = new Date(nowMs - retentionMs).toISOString();
    let removed = 0;
    for (let last = batchMax; last === batchMax && !stopped.signal.aborted; removed += last) {
      last = await events.prune(before, batchMax);
      // Requests come first.
      await sleep(1);
    }
    if (removed > 0) log.info({ events: removed }, 'pruned');
  };

  const run = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      await removeOld().catch((error) => logFailure(log, error));
      await sleep(everyMs, undefined, { signal: stopped.signal }).catch(() => {});
    }
  };

  const running = run();
  return async () => {
    stopped.abort();
    await running;
  };
};

import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, createClock } from '../base/time.ts';
import { type Log, logFailure } from '../log.ts';
import type { EventStore } from './store.ts';

interface PruneOptions {
  readonly events: EventStore;
  readonly retentionMs: number;
  readonly log: Log;
  readonly metrics?: { readonly prunedRows: { add(count: number): void } };
  readonly clock?: Clock;
  readonly everyMs?: number;
}

/** Removes events that are older than `retentionMs`, at once and then every `everyMs`. Returns a function that stops it. */
export const startPruning = ({
  events,
  retentionMs,
  log,
  metrics = { prunedRows: { add: () => {} } },
  clock = createClock(),
  everyMs = 60_000,
}: PruneOptions): (() => Promise<void>) => {
  const stopped = new AbortController();

  const removeOld = async (): Promise<void> => {
    // Events have the time of the wall clock. The earlier clock counts, so that a wrong clock never removes events too early.
    const nowMs = Math.min(Date.now(), clock.nowMs());
    const before = new Date(nowMs - retentionMs).toISOString();
    let removed = 0;
    for (let last = prunedMax; last === prunedMax && !stopped.signal.aborted; removed += last) {
      last = await events.prune(before, prunedMax);
      metrics.prunedRows.add(last);
      // Lets requests run first.
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

export const prunedMax = 200;

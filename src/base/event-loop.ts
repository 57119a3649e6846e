import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Summary } from './instrument.ts';

/**
 * Reads the delays of the event loop in seconds: the quantiles are of those since the last call. It measures from the first call, so that
 * nothing runs unless a value is requested.
 */
export const createEventLoopDelay = (): (() => Summary) => {
  const monitor = monitorEventLoopDelay({ resolution: resolutionMs });
  let count = 0;
  let sum = 0;
  return () => {
    const toSeconds = (nanoseconds: number): number => (monitor.count === 0 ? Number.NaN : nanoseconds / 1e9);
    const quantiles = new Map([
      [0.5, toSeconds(monitor.percentile(50))],
      [0.99, toSeconds(monitor.percentile(99))],
      [1, toSeconds(monitor.max)],
    ]);
    if (monitor.count > 0) {
      count += monitor.count;
      sum += (monitor.count * monitor.mean) / 1e9;
    }
    monitor.reset();
    monitor.enable();
    return { quantiles, count, sum };
  };
};

const resolutionMs = 20;

/**
 * Limits how many steps are taken in one turn of the event loop, so that other work runs between them. Steps that are always ready
 * would otherwise follow each other without a pause: promises that resolve in microtasks never return to the event loop, and Bun
 * reads a socket until it is empty, and answers each request on the way.
 */
export type TurnLimit = ReturnType<typeof createTurnLimit>;

export const createTurnLimit = (stepsMax: number) => {
  let left = stepsMax;
  let isScheduled = false;
  const waiting: (() => void)[] = [];

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(beginTurn);
  };

  const beginTurn = (): void => {
    isScheduled = false;
    left = stepsMax;
    for (const start of waiting.splice(0, stepsMax)) {
      left -= 1;
      start();
    }
    if (waiting.length > 0) schedule();
  };

  return {
    /** Resolves when the step may be taken: in the order of the calls. Returns `undefined` if it may be taken now. */
    step: (): Promise<void> | undefined => {
      schedule();
      if (left > 0) {
        left -= 1;
        return undefined;
      }
      return new Promise((resolve) => waiting.push(resolve));
    },
  };
};

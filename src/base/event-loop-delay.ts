import { monitorEventLoopDelay } from 'node:perf_hooks';

/** The delays of the event loop, in seconds. */
export interface EventLoopDelay {
  /** By quantile, of the delays since the last call. NaN if there were none. */
  readonly quantiles: ReadonlyMap<number, number>;
  /** Of all delays so far. */
  readonly count: number;
  readonly sum: number;
}

/** Measures from the first call, so that nothing runs unless a value is requested. */
export const createEventLoopDelay = (): (() => EventLoopDelay) => {
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

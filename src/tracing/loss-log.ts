import type { Log } from '../log.ts';

/** Logs how many spans were lost, and the latest reason: at the first loss, and then at most once in `logPauseMs`. */
export const createLossLog = (log: Log, collector: string) => {
  let spans = 0;
  let lastReason = '';
  let nextAtMs = 0;

  /** Logs the losses that are not logged yet. */
  const report = (): void => {
    if (spans > 0) log.warn({ spans, reason: lastReason, collector }, 'spans lost');
    spans = 0;
  };

  const count = (lost: number, reason: string): void => {
    spans += lost;
    lastReason = reason;
    if (performance.now() < nextAtMs) return;
    nextAtMs = performance.now() + logPauseMs;
    report();
  };

  return { count, report };
};

export const logPauseMs = 60_000;

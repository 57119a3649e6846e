/**
 * The time limit of attempts. All attempts have one timer, and those that begin within `togetherMs` have one signal: a timer and a signal for
 * each attempt would take as much CPU as a quarter of its request.
 */
export interface LimitedAttempt {
  /** Aborted when the attempt is stopped or takes too long. Attempts that began at the same time have the same signal. */
  readonly signal: AbortSignal;
  /** Settles as the promise, or rejects with the reason of the signal, even if the promise never settles. To be called once. */
  readonly until: <Result>(result: Promise<Result>) => Promise<Result>;
  /** Also limits a request that continues after the attempt has ended. */
  readonly keep: (request: Promise<unknown>) => void;
  /** To be called at the end of each attempt. */
  readonly end: () => void;
}

/** Attempts with one signal. */
interface Group {
  readonly controller: AbortController;
  readonly stopped: AbortSignal;
  readonly startedAtMs: number;
  readonly running: Set<Running>;
}

interface Running {
  reject?: (reason: unknown) => void;
}

/** Attempts that begin within this time have one signal. It is short, since a signal with thousands of listeners is slow. */
const togetherMs = 10;

/**
 * Returns a function that begins an attempt. `stopped` stops it; otherwise the reason is a `TimeoutError`, after `timeoutMs` and at most
 * `togetherMs` more.
 */
export const createTimeLimit = (timeoutMs: number): ((stopped: AbortSignal) => LimitedAttempt) => {
  /** Groups with running attempts, in the order of their time limits. */
  const groups = new Set<Group>();
  const heard = new WeakSet<AbortSignal>();
  /** The group that new attempts join. Undefined if none is running. */
  let newest: Group | undefined;
  let timer: Timer | undefined;

  const remove = (group: Group): void => {
    groups.delete(group);
    if (group === newest) newest = undefined;
  };

  const abort = (group: Group, reason: unknown): void => {
    remove(group);
    group.controller.abort(reason);
    for (const { reject } of group.running) reject?.(reason);
  };

  const abortLate = (): void => {
    timer = undefined;
    for (const group of groups) {
      const leftMs = group.startedAtMs + togetherMs + timeoutMs - performance.now();
      if (leftMs > 0) {
        timer = setTimeout(abortLate, Math.ceil(leftMs));
        return;
      }
      abort(group, new DOMException('The receiver is too slow.', 'TimeoutError'));
    }
  };

  const hear = (stopped: AbortSignal): void => {
    if (heard.has(stopped)) return;
    heard.add(stopped);
    stopped.addEventListener('abort', () => {
      for (const group of groups) if (group.stopped === stopped) abort(group, stopped.reason);
    });
  };

  const groupOf = (stopped: AbortSignal): Group => {
    const nowMs = performance.now();
    if (newest?.stopped === stopped && nowMs < newest.startedAtMs + togetherMs) return newest;
    hear(stopped);
    newest = { controller: new AbortController(), stopped, startedAtMs: nowMs, running: new Set() };
    groups.add(newest);
    timer ??= setTimeout(abortLate, timeoutMs + togetherMs);
    return newest;
  };

  return (stopped) => {
    const group = groupOf(stopped);
    const { signal } = group.controller;
    const one: Running = {};
    group.running.add(one);
    const end = (ended: Running): void => {
      group.running.delete(ended);
      if (group.running.size === 0) remove(group);
      // A timer without an attempt would keep the process running.
      if (groups.size > 0) return;
      clearTimeout(timer);
      timer = undefined;
    };
    if (stopped.aborted) abort(group, stopped.reason);
    return {
      signal,
      until: (result) =>
        new Promise((resolve, reject) => {
          one.reject = reject;
          result.then(resolve, reject);
          if (signal.aborted) reject(signal.reason);
        }),
      keep: (request) => {
        const kept: Running = {};
        group.running.add(kept);
        const endKept = (): void => end(kept);
        request.then(endKept, endKept);
      },
      end: () => end(one),
    };
  };
};

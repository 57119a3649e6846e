/**
 * The time limit of attempts, and their stop. One timer and one listener serve all attempts: a timer, a listener and a race of promises for
 * each would cost a quarter of its request.
 */
export interface LimitedAttempt {
  /** Aborted when the attempt is stopped or takes too long. */
  readonly signal: AbortSignal;
  /** Settles as the promise, or rejects with the reason of the signal, even if the promise never settles. To be called once. */
  readonly until: <Result>(result: Promise<Result>) => Promise<Result>;
  /** To be called at the end of each attempt. */
  readonly end: () => void;
}

interface Running {
  readonly controller: AbortController;
  readonly stopped: AbortSignal;
  readonly endsAtMs: number;
  reject: ((reason: unknown) => void) | undefined;
}

/** Returns a function that begins an attempt. `stopped` stops it; otherwise the reason is a `TimeoutError`. */
export const createTimeLimit = (timeoutMs: number): ((stopped: AbortSignal) => LimitedAttempt) => {
  /** In the order of their ends. */
  const running = new Set<Running>();
  const heard = new WeakSet<AbortSignal>();
  let timer: Timer | undefined;

  const abort = (one: Running, reason: unknown): void => {
    running.delete(one);
    one.controller.abort(reason);
    one.reject?.(reason);
  };

  const abortLate = (): void => {
    timer = undefined;
    for (const one of running) {
      const leftMs = one.endsAtMs - performance.now();
      if (leftMs > 0) {
        timer = setTimeout(abortLate, Math.ceil(leftMs));
        return;
      }
      abort(one, new DOMException('The receiver is too slow.', 'TimeoutError'));
    }
  };

  const hear = (stopped: AbortSignal): void => {
    if (heard.has(stopped)) return;
    heard.add(stopped);
    stopped.addEventListener('abort', () => {
      for (const one of running) if (one.stopped === stopped) abort(one, stopped.reason);
    });
  };

  return (stopped) => {
    const controller = new AbortController();
    const one: Running = { controller, stopped, endsAtMs: performance.now() + timeoutMs, reject: undefined };
    hear(stopped);
    running.add(one);
    timer ??= setTimeout(abortLate, timeoutMs);
    if (stopped.aborted) abort(one, stopped.reason);
    return {
      signal: controller.signal,
      until: (result) =>
        new Promise((resolve, reject) => {
          one.reject = reject;
          result.then(resolve, reject);
          if (controller.signal.aborted) reject(controller.signal.reason);
        }),
      end: () => {
        running.delete(one);
        // A timer without an attempt would keep the process running.
        if (running.size > 0) return;
        clearTimeout(timer);
        timer = undefined;
      },
    };
  };
};

/** Runs at most so many at a time, the others in their order. One whose signal is aborted while it waits is not run, and rejects. */
export const createLimit = (concurrentMax: number) => {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async <Value>(signal: AbortSignal, run: () => Promise<Value>): Promise<Value> => {
    if (running >= concurrentMax) await new Promise<void>((resolve) => waiting.push(resolve));
    else running += 1;
    try {
      signal.throwIfAborted();
      return await run();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
};

import { jest } from 'bun:test';

/**
 * Stops the clocks and the timers of this process, until the test lets time pass, or is over. Immediates, the network and other processes
 * continue. Use with `using`, and not beside tests that run concurrently. Nothing may wait for a timer otherwise: the time limit of the test
 * has stopped too.
 */
export const stopClock = () => {
  jest.useFakeTimers();
  /** In small steps. What a timer has started continues before the next step. */
  const pass = async (ms: number): Promise<void> => {
    for (let left = ms; left > 0; left -= stepMs) {
      jest.advanceTimersByTime(Math.min(left, stepMs));
      await nextTurn();
      await nextTurn();
    }
  };
  return {
    pass,
    /** Lets time pass until the work has ended, and resolves to its result. Throws after ten seconds of this time. */
    passUntil: async <Result>(work: Promise<Result>): Promise<Result> => {
      let isOver = false;
      const end = (): void => {
        isOver = true;
      };
      work.then(end, end);
      for (let passedMs = 0; !isOver; passedMs += stepMs) {
        if (passedMs > 10_000) throw new Error('The work has not ended after ten seconds.');
        await pass(stepMs);
      }
      return work;
    },
    [Symbol.dispose]: (): void => void jest.useRealTimers(),
  };
};

const stepMs = 10;

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Promises in time, at the pace of the machine: the work is compared with a control that runs beside it, in the same run, and has the same
 * load. A control that does the same kind of work is as slow as the work; where the work only waits, an idle loop is enough.
 */
import { setTimeout } from 'node:timers/promises';

/**
 * A promise in time that was not kept. CI runs a test that fails by it, or by its time limit, once more when nothing else runs; every other
 * failure is final at once. So a test throws it only for a time, and never for a wrong or a missing value.
 */
export class PaceError extends Error {
  override readonly name = 'PaceError';
}

/** Throws a PaceError if `what` took longer than its control, which was measured in the same run, allows. All times are in milliseconds. */
export const expectPace = (what: string, tookMs: number, allowedMs: number): void => {
  if (tookMs > allowedMs)
    throw new PaceError(`${what} took ${tookMs.toFixed(1)} ms. Its control allows ${allowedMs.toFixed(1)} ms.`);
};

/** How often the control runs, one after the other, until the work ends. Rejects as the work or the control does. */
export const countUntil = async (work: Promise<unknown>, control: () => Promise<unknown>): Promise<number> => {
  let isOver = false;
  const ending = work.finally(() => {
    isOver = true;
  });
  let count = 0;
  for (; !isOver; count += 1) await Promise.race([control(), ending]);
  await ending;
  return count;
};

/** How long an idle loop of this process runs until the work ends, in steps of a tenth of a second. Without a processor it does not run. */
export const idleMs = async (work: Promise<unknown>): Promise<number> =>
  100 * (await countUntil(work, () => setTimeout(100)));

/**
 * Throws a PaceError if the work takes more than 40 times as long for ten times the size: about 10 times is linear, and 100 times quadratic.
 * The quickest of several runs is one that nothing interrupted.
 */
export const expectLinear = (work: (size: number) => unknown, size: number): void => {
  const quickestMs = (of: number): number =>
    Math.min(
      ...Array.from({ length: 7 }, () => {
        const startedAtMs = performance.now();
        work(of);
        return performance.now() - startedAtMs;
      }),
    );
  // The first runs are compiled.
  quickestMs(size);
  let [ofSizeMs, ofTenTimesMs] = [Infinity, Infinity];
  for (let rounds = 0; rounds < 5; rounds += 1) {
    ofSizeMs = Math.min(ofSizeMs, quickestMs(size));
    ofTenTimesMs = Math.min(ofTenTimesMs, quickestMs(10 * size));
    if (ofTenTimesMs <= 40 * ofSizeMs) return;
  }
  expectPace('the work of ten times the size', ofTenTimesMs, 40 * ofSizeMs);
};

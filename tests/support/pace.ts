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

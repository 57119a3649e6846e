/** The server did not answer before the deadline of this program. */
export class DeadlineExceeded extends Error {
  override readonly name = 'DeadlineExceeded';
  override readonly message = 'The database did not answer in time.';
}

/** The result of the work. DeadlineExceeded if it takes until `endsAtMs`, by the monotonic clock. */
export const withDeadline = <Result>(work: Promise<Result>, endsAtMs: number): Promise<Result> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new DeadlineExceeded()), Math.max(0, endsAtMs - performance.now()));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });

/** The result of one step of a long operation, such as the last step of an import, which writes all its events. DeadlineExceeded after five minutes. */
export const withStepDeadline = <Result>(step: Promise<Result>): Promise<Result> =>
  withDeadline(step, performance.now() + stepMsMax);

const stepMsMax = 5 * 60 * 1000;

import { busyRetryMs } from './errors.ts';

/**
 * The turns of the store. A turn is two immediates, one directly after the other. The first calls `begin`, which starts the queued reads.
 * The microtasks between the two continue the requests: their further reads run immediately, and their writes are queued. The second
 * calls `end`, which commits the writes. So a request waits for one turn, for any number of reads before its write.
 *
 * Bun does not poll for input between the two. A transaction for reads is therefore never older than the request that it reads for, and
 * a token that another process has revoked is refused at the next request.
 */
export const createTurns = ({ begin, end }: Record<'begin' | 'end', () => void>) => {
  let isScheduled = false;
  let isPausing = false;

  const schedule = (): void => {
    if (isScheduled) return;
    isScheduled = true;
    setImmediate(() => {
      isScheduled = false;
      begin();
    });
    setImmediate(end);
  };

  /** Called while another process has the lock. */
  const scheduleLater = (): void => {
    if (isPausing) return;
    isPausing = true;
    setTimeout(() => {
      isPausing = false;
      schedule();
    }, busyRetryMs);
  };

  return { schedule, scheduleLater };
};

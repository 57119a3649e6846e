import type { HeldLease } from '../domain/lease.ts';

/** A lease from the view of its owner. By the clocks of the owner it ends before it ends in the database. */
export interface OwnLease {
  readonly epoch: bigint;
  isValid(): boolean;
}

/** `askedAt` is the time before the request to the database. */
export const toOwnLease = ({ epoch, validMs }: HeldLease, askedAt: Moment): OwnLease => ({
  epoch,
  isValid: () => passedMs(askedAt) < validMs,
});

export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export const readClocks = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/** The greater of two clocks: one does not run while the machine sleeps, and the other can be set back. */
const passedMs = ({ monotonicMs, wallMs }: Moment): number => {
  const now = readClocks();
  return Math.max(now.monotonicMs - monotonicMs, now.wallMs - wallMs);
};

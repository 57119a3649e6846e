import type { HeldLease } from '../domain/lease.ts';

/** A lease as its owner knows it. By its own clocks it ends before it ends in the database. */
export interface OwnLease {
  readonly epoch: bigint;
  isValid(): boolean;
}

/** `askedAt` is when the database was asked for it. */
export const toOwnLease = ({ epoch, validMs }: HeldLease, askedAt: Moment): OwnLease => ({
  epoch,
  isValid: () => passedMs(askedAt) < validMs,
});

export interface Moment {
  readonly monotonicMs: number;
  readonly wallMs: number;
}

export const readClocks = (): Moment => ({ monotonicMs: performance.now(), wallMs: Date.now() });

/** By the clock that says more: one does not run while the machine sleeps, and the other may be set back. */
const passedMs = ({ monotonicMs, wallMs }: Moment): number => {
  const now = readClocks();
  return Math.max(now.monotonicMs - monotonicMs, now.wallMs - wallMs);
};

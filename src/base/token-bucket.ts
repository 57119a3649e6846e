/**
 * A token bucket: it has room for `count` requests, each request takes one out, and it refills steadily, from empty to full in
 * `windowMs`. The level is counted in units so small that every step is an integer and therefore exact: a request is `windowMs`
 * units, and a millisecond returns `count` of them.
 */
export interface Rate {
  readonly count: number;
  readonly windowMs: number;
}

/** Within these bounds a full bucket has at most 2.6 × 10¹⁵ units, which is below 2⁵³. */
export const rateCountMax = 1_000_000;
export const rateWindowDaysMax = 30;

/** The level, in units, at a time. */
export interface Bucket {
  readonly level: number;
  readonly atMs: number;
}

export interface Taken {
  readonly isTaken: boolean;
  /** The requests that may follow at once. */
  readonly left: number;
  /** How long until the bucket regains as many requests as are left or, when none is left, until it has one. */
  readonly refillMs: number;
  readonly bucket: Bucket;
}

/**
 * Takes a request out of a bucket, which is full when absent. `nowMs` is an integer, by a monotonic clock. A step back counts as no
 * time, so it locks nobody out.
 */
export const takeFrom = (bucket: Bucket | undefined, { count, windowMs }: Rate, nowMs: number): Taken => {
  const capacity = count * windowMs;
  const elapsedMs = bucket ? Math.max(0, nowMs - bucket.atMs) : 0;
  const before = bucket ? Math.min(capacity, bucket.level + elapsedMs * count) : capacity;
  const isTaken = before >= windowMs;
  const level = isTaken ? before - windowMs : before;
  const left = Math.floor(level / windowMs);
  const refillMs = left > 0 ? (left * windowMs) / count : (windowMs - level) / count;
  return { isTaken, left, refillMs, bucket: { level, atMs: nowMs } };
};

/**
 * A token bucket: its capacity is `count` requests, each request takes one, and it refills steadily, from empty to full in
 * `windowMs`. The level is in units so small that every step is an exact integer: a request takes `windowMs` units, and a
 * millisecond returns `count` units.
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
  /** The number of requests that can follow at once. */
  readonly left: number;
  /** The time until the bucket has regained as many requests as are left or, if none is left, until it has one. */
  readonly refillMs: number;
  readonly bucket: Bucket;
}

/**
 * Takes one request from a bucket, which is full if absent. `nowMs` is an integer, by a monotonic clock. A step back counts as no
 * time, so it blocks no client.
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

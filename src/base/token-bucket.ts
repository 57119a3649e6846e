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

interface Taken {
  readonly isTaken: boolean;
  /** The number of requests that can follow at once. */
  readonly left: number;
  /** The time until the bucket has regained as many requests as are left or, if none is left, until it has one. */
  readonly refillMs: number;
  readonly bucket: Bucket;
}

/**
 * Takes one request from a bucket, which is full if undefined. `nowMs` is an integer, by a monotonic clock. A step back counts as no
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

/**
 * A map that drops old entries. An entry that is not set for `keptMs` may be dropped; at least `keptMax` entries are kept until then,
 * and at most twice as many. It has two generations: an entry that is set moves to the newer one, and the older one is dropped as a whole.
 * So it needs no timer and no order of use, and takes a fraction of the time of an LRU list.
 */
export const createRecent = <Value>({ keptMs, keptMax }: { readonly keptMs: number; readonly keptMax: number }) => {
  let newer = new Map<string, Value>();
  let older = new Map<string, Value>();
  let bornAtMs = Number.NEGATIVE_INFINITY;

  return {
    get: (key: string): Value | undefined => newer.get(key) ?? older.get(key),
    set: (key: string, value: Value, nowMs: number): void => {
      if (nowMs - bornAtMs >= keptMs || newer.size >= keptMax) {
        older = newer;
        newer = new Map();
        bornAtMs = nowMs;
      }
      newer.set(key, value);
    },
    get size(): number {
      return newer.size + older.size;
    },
  };
};

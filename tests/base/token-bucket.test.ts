import { expect, test } from 'bun:test';
import fc from 'fast-check';
import {
  type Bucket,
  createRecent,
  type Rate,
  rateCountMax,
  rateWindowDaysMax,
  takeFrom,
} from '../../src/base/token-bucket.ts';

/** A bucket that starts full: a function that takes a request from it at a given time. */
const createBucket = (rate: Rate) => {
  let bucket: Bucket | undefined;
  return (nowMs: number) => {
    const taken = takeFrom(bucket, rate, nowMs);
    bucket = taken.bucket;
    return taken;
  };
};

test('a full bucket permits `count` requests immediately, and then one every `windowMs / count`', () => {
  const take = createBucket({ count: 4, windowMs: 1000 });
  expect([0, 0, 0, 0, 0].map((nowMs) => take(nowMs).isTaken)).toEqual([true, true, true, true, false]);
  expect([249, 250, 250, 499, 500].map((nowMs) => take(nowMs).isTaken)).toEqual([false, true, false, false, true]);
});

test('a refused request takes nothing', () => {
  const take = createBucket({ count: 1, windowMs: 1000 });
  expect([0, 1, 500, 999, 1000].map((nowMs) => take(nowMs).isTaken)).toEqual([true, false, false, false, true]);
});

test('a bucket never permits more than its count, however long it was unused', () => {
  const take = createBucket({ count: 2, windowMs: 1000 });
  take(0);
  const farMs = 1000 * 365 * 86_400_000;
  expect([farMs, farMs, farMs].map((nowMs) => take(nowMs).isTaken)).toEqual([true, true, false]);
});

test('a clock that steps back takes no requests from a bucket, and adds none', () => {
  const take = createBucket({ count: 2, windowMs: 1000 });
  expect([5000, 5000, 0, 499, 500].map((nowMs) => take(nowMs).isTaken)).toEqual([true, true, false, false, true]);
  expect(take(0)).toMatchObject({ isTaken: false, left: 0, refillMs: 500 });
});

test('a bucket returns how many requests are left, and the time to regain as many, or one if none is left', () => {
  const take = createBucket({ count: 4, windowMs: 1000 });
  const results = [0, 0, 0, 0, 100].map((nowMs) => take(nowMs));
  expect(results.map(({ left }) => left)).toEqual([3, 2, 1, 0, 0]);
  expect(results.map(({ refillMs }) => refillMs)).toEqual([750, 500, 250, 250, 150]);
});

test('the bucket with the largest count and window is exact', () => {
  const windowMs = rateWindowDaysMax * 86_400_000;
  const take = createBucket({ count: rateCountMax, windowMs });
  expect(Number.isSafeInteger(rateCountMax * windowMs)).toBe(true);
  let left = rateCountMax;
  while (left >= 0 && take(0).isTaken) left -= 1;
  expect(left).toBe(0);
  expect(take(windowMs / rateCountMax - 1).isTaken).toBe(false);
  expect(take(windowMs / rateCountMax).isTaken).toBe(true);
});

/**
 * The model: a request is accepted if, since each earlier accepted one, there were at most as many requests as the
 * count plus those that the bucket has regained in that time.
 */
const modelOf = ({ count, windowMs }: Rate, timesMs: readonly number[]): boolean[] => {
  const accepted: number[] = [];
  return timesMs.map((nowMs) => {
    const fits = accepted.every((fromMs, index) => {
      const requests = accepted.length - index + 1;
      return BigInt(requests - count) * BigInt(windowMs) <= BigInt(nowMs - fromMs) * BigInt(count);
    });
    if (fits) accepted.push(nowMs);
    return fits;
  });
};

test('a bucket accepts the requests that the model accepts', () => {
  const rates = fc.record({ count: fc.integer({ min: 1, max: 12 }), windowMs: fc.integer({ min: 1, max: 5000 }) });
  const pauses = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 900 })), { minLength: 1, maxLength: 60 });
  let refused = 0;
  fc.assert(
    fc.property(rates, pauses, fc.nat(2 ** 40), (rate, pausesMs, startMs) => {
      let nowMs = startMs;
      const timesMs = pausesMs.map((pauseMs) => {
        nowMs += pauseMs;
        return nowMs;
      });
      const expected = modelOf(rate, timesMs);
      refused += expected.filter((isAccepted) => !isAccepted).length;
      const take = createBucket(rate);
      expect(timesMs.map((timeMs) => take(timeMs).isTaken)).toEqual(expected);
    }),
    { numRuns: 500 },
  );
  expect(refused).toBeGreaterThan(100);
});

test('a client that waits for the time in a rejection is accepted, and a millisecond earlier it is refused', () => {
  const rates = fc.record({ count: fc.integer({ min: 1, max: 50 }), windowMs: fc.integer({ min: 1, max: 100_000 }) });
  fc.assert(
    fc.property(rates, fc.nat(100_000), (rate, laterMs) => {
      const drained = createBucket(rate);
      for (let count = 0; count < rate.count; count += 1) drained(0);
      const { isTaken, refillMs } = drained(laterMs % Math.ceil(rate.windowMs / rate.count));
      expect(isTaken).toBe(false);
      const nextMs = (laterMs % Math.ceil(rate.windowMs / rate.count)) + Math.ceil(refillMs);
      expect(drained(nextMs - 1).isTaken).toBe(false);
      expect(drained(nextMs).isTaken).toBe(true);
    }),
  );
});

test('an entry is kept for `keptMs`, and removed after twice that time', () => {
  const recent = createRecent<number>({ keptMs: 100, keptMax: 10 });
  recent.set('a', 1, 0);
  recent.set('b', 2, 99);
  recent.set('c', 3, 199);
  expect(['a', 'b', 'c'].map(recent.get)).toEqual([1, 2, 3]);
  recent.set('d', 4, 299);
  expect(['a', 'b', 'c', 'd'].map(recent.get)).toEqual([undefined, undefined, 3, 4]);
  expect(recent.size).toBe(2);
});

test('the `keptMax` newest entries are kept, and never more than twice as many', () => {
  const recent = createRecent<number>({ keptMs: 1000, keptMax: 10 });
  for (let count = 1; count <= 1000; count += 1) {
    recent.set(`${count}`, count, 0);
    for (let last = Math.max(1, count - 9); last <= count; last += 1) expect(recent.get(`${last}`)).toBe(last);
    expect(recent.size).toBeLessThanOrEqual(20);
  }
});

test('an entry that is set again is kept with its new value', () => {
  const recent = createRecent<number>({ keptMs: 1000, keptMax: 2 });
  for (let count = 1; count <= 9; count += 1) {
    recent.set('again', count, 0);
    recent.set(`${count}`, count, 0);
    expect(recent.get('again')).toBe(count);
  }
});

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { createClock, durationMsOf } from '../../src/base/time.ts';

afterEach(() => {
  setSystemTime();
});

test('the clock starts with the system time, and stays monotonic when the system clock is changed', async () => {
  const clock = createClock();
  const startMs = Date.now();
  expect(Math.abs(clock.nowMs() - startMs)).toBeLessThan(50);
  for (const jumpMs of [365 * 86_400_000, -365 * 86_400_000]) {
    setSystemTime(new Date(startMs + jumpMs));
    expect(Math.abs(Date.now() - startMs)).toBeGreaterThan(1_000_000);
    expect(Math.abs(clock.nowMs() - startMs)).toBeLessThan(1000);
  }
  const beforeMs = clock.nowMs();
  await Bun.sleep(5);
  expect(clock.nowMs()).toBeGreaterThan(beforeMs);
});

test.each([
  ['1s', 1000],
  ['1m', 60_000],
  ['1h', 3_600_000],
  ['1d', 86_400_000],
  ['36500d', 36_500 * 86_400_000],
  ['36501d', undefined],
  ['0s', undefined],
  ['01d', undefined],
  ['1', undefined],
  ['d', undefined],
  ['1w', undefined],
  ['1.5h', undefined],
  ['-1d', undefined],
  ['1d ', undefined],
])('the duration of %p in milliseconds is %p', (text, expected) => {
  expect(durationMsOf(text)).toBe(expected);
});

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { createClock, durationMsOf, toInstant } from '../../src/base/time.ts';
import { until } from '../support/until.ts';

afterEach(() => {
  setSystemTime();
});

test('the clock starts with the system time, and stays monotonic when the system clock is changed', async () => {
  const earliestMs = Date.now();
  const clock = createClock();
  const [beganAfterMs, clockMs, startMs] = [performance.now(), clock.nowMs(), Date.now()];
  expect(clockMs).toBeWithin(earliestMs - 1, startMs + 1);
  for (const jumpMs of [365 * 86_400_000, -365 * 86_400_000]) {
    setSystemTime(new Date(startMs + jumpMs));
    expect(Math.abs(Date.now() - startMs)).toBeGreaterThan(1_000_000);
    const laterMs = clock.nowMs();
    expect(laterMs - clockMs).toBeWithin(0, performance.now() - beganAfterMs + 1);
  }
  const beforeMs = clock.nowMs();
  await until(() => clock.nowMs() > beforeMs);
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

test.each([
  ['2026-05-01T09:30:00.000Z', '2026-05-01T09:30:00.000Z'],
  ['2026-05-01T09:30:00Z', '2026-05-01T09:30:00.000Z'],
  ['2026-05-01T09:30:00.1Z', '2026-05-01T09:30:00.100Z'],
  ['2026-05-01T09:30:00.123000000000Z', '2026-05-01T09:30:00.123Z'],
  ['2026-05-01T09:30:00.1234Z', undefined],
  ['2026-05-01T09:30:00.Z', undefined],
  ['2026-05-01t09:30:00z', '2026-05-01T09:30:00.000Z'],
  ['2026-05-01 09:30:00+00:00', '2026-05-01T09:30:00.000Z'],
  ['2026-05-01T09:30:00-00:00', '2026-05-01T09:30:00.000Z'],
  ['2026-05-01T00:30:00+05:30', '2026-04-30T19:00:00.000Z'],
  ['2026-12-31T23:30:00.5-01:00', '2027-01-01T00:30:00.500Z'],
  ['2026-05-01 09:30:00.12+02', '2026-05-01T07:30:00.120Z'],
  ['2026-05-01T09:30:00.000000+0000', '2026-05-01T09:30:00.000Z'],
  ['2024-02-29T23:59:59+23:59', '2024-02-29T00:00:59.000Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00.000Z'],
  ['0000-01-01T00:00:00+01:00', undefined],
  ['9999-12-31T23:59:59-01:00', undefined],
  ['2026-02-29T00:00:00Z', undefined],
  ['2026-13-01T00:00:00Z', undefined],
  ['2026-05-01T24:00:00Z', undefined],
  ['2026-05-01T09:60:00Z', undefined],
  ['2016-12-31T23:59:60Z', undefined],
  ['2026-05-01T09:30:00', undefined],
  ['2026-05-01T09:30Z', undefined],
  ['2026-05-01', undefined],
  ['2026-05-01T09:30:00+24:00', undefined],
  ['2026-05-01T09:30:00+01:60', undefined],
  ['2026-05-01T09:30:00,5Z', undefined],
  ['2026-05-01  09:30:00Z', undefined],
  ['2026-05-01T09:30:00 Z', undefined],
  [' 2026-05-01T09:30:00Z', undefined],
  ['2026-05-01T09:30:00Z\n', undefined],
  ['+002026-05-01T09:30:00Z', undefined],
  ['1777627800000', undefined],
])('the instant of %p is %p', (text, expected) => {
  expect(toInstant(text)).toBe(expected);
});

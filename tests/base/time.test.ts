import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { createClock } from '../../src/base/time.ts';

afterEach(() => {
  setSystemTime();
});

test('the clock starts with the time of day, and runs evenly when the system is set forward or back', async () => {
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

import { expect, test } from 'bun:test';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createEventLoopDelay } from '../../src/base/event-loop-delay.ts';
import { until } from '../support/until.ts';

test('a block of the event loop for half a second is the maximum delay, until it is read', async () => {
  // All monitors of a process measure together, and an earlier test may have started one.
  const monitor = monitorEventLoopDelay();
  monitor.disable();
  monitor.reset();
  const read = createEventLoopDelay();
  expect(read()).toEqual({
    quantiles: new Map([
      [0.5, Number.NaN],
      [0.99, Number.NaN],
      [1, Number.NaN],
    ]),
    count: 0,
    sum: 0,
  });
  await until(() => read().count > 0);
  const blockedAtMs = performance.now();
  while (performance.now() - blockedAtMs < 500);
  const { count } = read();
  let seen = read();
  await until(() => {
    if (seen.count === count) seen = read();
    return seen.count > count;
  });
  expect(seen.quantiles.get(1)).toBeGreaterThan(0.4);
  expect(seen.quantiles.get(1)).toBeLessThan(5);
  expect(seen.sum).toBeGreaterThan(0.4);
  let later = seen;
  await until(() => {
    later = read();
    return later.count > seen.count;
  });
  expect(later.quantiles.get(1)).toBeLessThan(seen.quantiles.get(1) ?? 0);
});

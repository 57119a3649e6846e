import { expect, test } from 'bun:test';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { createEventLoopDelay, createTurnLimit } from '../../src/base/event-loop.ts';
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
  expect(seen.quantiles.get(1)).toBeLessThan((performance.now() - blockedAtMs) / 1000);
  expect(seen.sum).toBeGreaterThan(0.4);
  // A busy machine may delay the next turns as well.
  await until(() => (read().quantiles.get(1) ?? 0) < (seen.quantiles.get(1) ?? 0));
});

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('a turn permits as many steps as the limit, and the others wait for the next turns, in order', async () => {
  const { step } = createTurnLimit(3);
  const taken: number[] = [];
  const take = async (number: number): Promise<void> => {
    await step();
    taken.push(number);
  };
  const steps = Array.from({ length: 8 }, (_, index) => take(index));
  await Promise.resolve();
  expect(taken).toEqual([0, 1, 2]);
  await nextTurn();
  expect(taken).toEqual([0, 1, 2, 3, 4, 5]);
  await nextTurn();
  expect(taken).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  await Promise.all(steps);
});

test('steps that wait come before new steps of their turn', async () => {
  const { step } = createTurnLimit(1);
  expect(step()).toBeUndefined();
  const waiting = step();
  await nextTurn();
  expect(step()).toBeInstanceOf(Promise);
  await waiting;
});

test('a loop of steps lets timers run', async () => {
  const { step } = createTurnLimit(2);
  let isOver = false;
  setTimeout(() => {
    isOver = true;
  }, 1);
  while (!isOver) await step();
});

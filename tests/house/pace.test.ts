import { expect, test } from 'bun:test';
import { setTimeout } from 'node:timers/promises';
import { countUntil, expectLinear, PaceError } from '../support/pace.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { until } from '../support/until.ts';

test('a control runs one time after the other until the work ends', async () => {
  let [running, controls] = [0, 0];
  const work = until(() => controls >= 5);
  const count = await countUntil(work, async () => {
    running += 1;
    await setTimeout(1);
    controls += 1;
    running -= 1;
    expect(running).toBe(0);
  });
  expect(count).toBeGreaterThanOrEqual(5);
  await expect(countUntil(Promise.reject(new Error('no')), () => setTimeout(1))).rejects.toThrow('no');
});

test('linear work is within the limit, and quadratic work is not', () => {
  let sum = 0;
  const linear = (size: number): void => {
    for (let step = 0; step < size; step += 1) sum += step;
  };
  const quadratic = (size: number): void => {
    for (let step = 0; step < size; step += 1) linear(size);
  };
  expectLinear(linear, 10_000);
  expect(() => expectLinear(quadratic, 500)).toThrow(PaceError);
  expect(sum).toBeGreaterThan(0);
});

test('while the clock is stopped, timers fire only as the test lets time pass', async () => {
  using clock = stopClock();
  const startedAtMs = performance.now();
  let fired = 0;
  const chain = setTimeout(500).then(async () => {
    fired += 1;
    await setTimeout(500);
    fired += 1;
  });
  await clock.pass(900);
  expect([fired, performance.now() - startedAtMs]).toEqual([1, 900]);
  await clock.passUntil(chain);
  expect(fired).toBe(2);
  await expect(clock.passUntil(new Promise(() => {}))).rejects.toThrow('has not ended');
});

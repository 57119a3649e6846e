import { expect, test } from 'bun:test';
import { createTurnLimit } from '../../src/base/turn-limit.ts';

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

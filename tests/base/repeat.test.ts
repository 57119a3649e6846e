import { expect, test } from 'bun:test';
import { repeat } from '../../src/base/repeat.ts';
import { until } from '../support/until.ts';

test('tasks with the same interval run together, until each is ended', async () => {
  const calls: string[] = [];
  const stopFirst = repeat(() => calls.push('first'), 3);
  const stopSecond = repeat(() => calls.push('second'), 3);
  await until(() => calls.length >= 4);
  expect(calls.slice(0, 4)).toEqual(['first', 'second', 'first', 'second']);
  stopFirst();
  calls.length = 0;
  await until(() => calls.length >= 2);
  expect(new Set(calls)).toEqual(new Set(['second']));
  stopSecond();
  calls.length = 0;
  const stopThird = repeat(() => calls.push('third'), 3);
  await until(() => calls.length >= 2);
  expect(new Set(calls)).toEqual(new Set(['third']));
  stopThird();
});

test('a task that is given twice runs twice, until one of both is ended', async () => {
  const [shared, other] = [[] as number[], [] as number[]];
  const task = () => shared.push(1);
  const stopOnce = repeat(task, 3);
  const stopAgain = repeat(task, 3);
  const stopOther = repeat(() => other.push(shared.splice(0).length), 3);
  await until(() => other.length >= 2);
  stopOnce();
  other.length = 0;
  await until(() => other.length >= 2);
  expect(new Set(other)).toEqual(new Set([1]));
  stopAgain();
  stopOther();
});

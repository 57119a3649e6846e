/** A job of the console: an item that fails does not stop the others. */
import { expect, test } from 'bun:test';
import { Problem } from '../../console/api/problem.ts';
import { runMany } from '../../console/jobs/run-many.ts';

const items = Array.from({ length: 40 }, (_, index) => index);
const run = (one: (item: number) => Promise<string | undefined>, signal = new AbortController().signal) => {
  const reports: number[] = [];
  const onProgress = ({ doneCount }: { readonly doneCount: number }): void => void reports.push(doneCount);
  return runMany({ items, idOf: (item) => `${item}`, run: one, signal, onProgress }).then((outcome) => ({
    ...outcome,
    reports,
  }));
};

test('each item is tried once, and those that fail are listed with their reasons', async () => {
  const tried: number[] = [];
  const outcome = await run(async (item) => {
    tried.push(item);
    if (item === 3) return 'a conflict';
    if (item === 5) throw new Problem({ status: 404, message: 'No plant has this id.' });
    if (item === 7) throw new Error('a defect');
    return undefined;
  });
  expect(tried.toSorted((a, b) => a - b)).toEqual(items);
  expect(outcome).toMatchObject({ doneCount: 37, untried: [], problem: undefined });
  expect(outcome.failures.map(({ id, reason }) => [id, reason])).toEqual([
    ['3', 'a conflict'],
    ['5', 'No plant has this id. It may have been deleted.'],
    ['7', 'The console failed: Error: a defect'],
  ]);
  expect(outcome.reports.at(-1)).toBe(37);
});

test.each([0, 401, 403, 503])('the status %i stops it, and what was not done can be tried later', async (status) => {
  const outcome = await run(async (item) => {
    if (item === 10) throw new Problem({ status });
    return undefined;
  });
  expect(outcome.problem?.status).toBe(status);
  expect(outcome.untried).toContain(10);
  expect(outcome.doneCount + outcome.untried.length).toBe(items.length);
  expect(outcome.untried.length).toBeGreaterThan(20);
});

test('the user stops it', async () => {
  const controller = new AbortController();
  const outcome = await run(async (item) => {
    if (item === 10) controller.abort();
    return undefined;
  }, controller.signal);
  expect(outcome.problem).toBeUndefined();
  expect(outcome.doneCount + outcome.untried.length).toBe(items.length);
  expect(outcome.untried.length).toBeGreaterThan(20);
});

import { expect, spyOn, test } from 'bun:test';
import { withProgress } from '../../src/cli/progress.ts';

/** The messages while ten batches of 100 rows are done, one in so many seconds. */
const linesOf = async (secondsEach: number, total: number | undefined): Promise<readonly string[]> => {
  const lines: string[] = [];
  using now = spyOn(performance, 'now').mockReturnValue(0);
  const { signal } = new AbortController();
  const batches = Array.from({ length: 10 }, () => 100);
  const printMessage = (line: string): void => void lines.push(line);
  const options = { title: 'Copying', total, signal, countRows: (rows: number) => rows, printMessage };
  let seconds = 0;
  for await (const _ of withProgress(batches, options)) {
    seconds += secondsEach;
    now.mockReturnValue(seconds * 1000);
  }
  return lines;
};

test('a long command prints a line every five seconds, with what is done, how fast, and how long the rest takes', async () => {
  expect(await linesOf(2, 1000)).toEqual([
    'Copying: 300 rows, 50 rows/s, 14 s left',
    'Copying: 600 rows, 50 rows/s, 8 s left',
    'Copying: 900 rows, 50 rows/s, 2 s left',
  ]);
});

test('a long command of unknown size prints what is done, and how fast', async () => {
  expect((await linesOf(4, undefined))[0]).toBe('Copying: 200 rows, 25 rows/s');
});

test('a short command prints no lines about its progress', async () => {
  expect(await linesOf(0.1, 1000)).toEqual([]);
});

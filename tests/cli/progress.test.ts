import { expect, spyOn, test } from 'bun:test';
import { openSync, readFileSync } from 'node:fs';
import { withOutput } from '../../src/cli/output.ts';
import { withProgress } from '../../src/cli/progress.ts';
import { temporaryFolder } from '../support/folder.ts';

/** The lines on stderr while ten batches of 100 rows are done, one in so many seconds. */
const linesOf = async (secondsEach: number, total: number | undefined): Promise<string> => {
  using folder = temporaryFolder();
  const stderr = openSync(folder.file('stderr'), 'w');
  using now = spyOn(performance, 'now').mockReturnValue(0);
  await withOutput({ stdout: stderr, stderr }, async () => {
    const { signal } = new AbortController();
    const batches = Array.from({ length: 10 }, () => 100);
    const options = { title: 'Copying', total, signal, countRows: (rows: number) => rows };
    let seconds = 0;
    for await (const _ of withProgress(batches, options)) {
      seconds += secondsEach;
      now.mockReturnValue(seconds * 1000);
    }
  });
  return readFileSync(folder.file('stderr'), 'utf8');
};

test('a long command prints a line every five seconds, with what is done, how fast, and how long the rest takes', async () => {
  expect(await linesOf(2, 1000)).toBe(
    'Copying: 300 rows, 50 rows/s, 14 s left\nCopying: 600 rows, 50 rows/s, 8 s left\nCopying: 900 rows, 50 rows/s, 2 s left\n',
  );
});

test('a long command of unknown size prints what is done, and how fast', async () => {
  expect(await linesOf(4, undefined)).toStartWith('Copying: 200 rows, 25 rows/s\n');
});

test('a short command prints no lines about its progress', async () => {
  expect(await linesOf(0.1, 1000)).toBe('');
});

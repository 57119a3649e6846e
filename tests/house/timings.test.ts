/** The durations of test files, by which `bun run test` starts the slowest first. */
import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { planDurations } from '../support/project/timings.ts';
import timings from '../timings.json';

test('tests/timings.json names only files that exist; `bun run test --update-timings` writes it anew', () => {
  const files = Object.keys(timings.files);
  expect(files.length).toBeGreaterThan(100);
  expect(files.filter((file) => !existsSync(join(import.meta.dir, '../..', file)))).toEqual([]);
});

test('a new file is planned by its size, a file that is gone is left out, and the slowest is first', () => {
  const known = { 'slow.test.ts': 900, 'quick.test.ts': 100, 'gone.test.ts': 5000 };
  expect(
    Object.entries(planDurations(known, { 'quick.test.ts': 600, 'new.test.ts': 250, 'slow.test.ts': 400 })),
  ).toEqual([
    ['slow.test.ts', 900],
    ['new.test.ts', 250],
    ['quick.test.ts', 100],
  ]);
  expect(planDurations({}, { 'new.test.ts': 250 })).toEqual({ 'new.test.ts': 0 });
});

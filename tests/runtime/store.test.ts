/** The tests of the client of SQLite and of the store, on Node and Deno: the same files that Bun runs, with the same promises. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import type { TestResult } from '../support/bun-test.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runTestsOn, testsFolder } from '../support/tests-on.ts';

const patterns = ['runtime/sqlite.test.ts', 'store/*.test.ts', 'store/sqlite/*.test.ts'];
const found = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: testsFolder })]);
// It starts servers on each runtime itself.
const files = found.filter((file) => file !== 'store/sqlite/server.test.ts');

describe.each(['deno', 'node'] as const)('on %s', (runtime) => {
  let results: TestResult[] = [];
  beforeAll(async () => {
    results = await runTestsOn(runtime, files);
  }, 300_000);

  test.each(files)('the tests of %s pass', (file) => {
    const own = results.filter(({ name }) => name.startsWith(`${file} > `));
    expect(own.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(own).not.toBeEmpty();
  });

  test('most tests need nothing but the store, so they have run', () => {
    expect(results.length).toBeGreaterThan(360);
  });

  test('a test that fails is found', async () => {
    using other = temporaryFolder();
    const path = other.file('failing.mjs');
    writeFileSync(path, `import { expect, test } from 'bun:test'; test('one', () => expect(1).toBe(2));`);
    const [failed] = await runTestsOn(runtime, [path]);
    expect(failed).toEqual({
      name: `${path} > one`,
      error: expect.stringContaining('expect(received).toBe(expected)'),
    });
  });
});

import { beforeAll, expect, test } from 'bun:test';
import { join } from 'node:path';
import { testServerUrl } from '../postgres/postgres-database.ts';
import type { TestResult } from './bun-test.ts';
import { executableOf, type RuntimeName } from './runtimes.ts';

/** The folder of all tests. */
const testsFolder = join(import.meta.dirname, '../..');

/** Runs test files on Node or Deno, beside the PostgreSQL server of this process. */
export const runTestsOn = async (runtime: RuntimeName, paths: readonly string[]): Promise<TestResult[]> => {
  const flags = runtime === 'deno' ? ['run', '-A'] : [];
  const command = [executableOf(runtime), ...flags, join(testsFolder, 'runtime/test-program.ts'), ...paths];
  await using child = Bun.spawn(command, {
    cwd: testsFolder,
    env: { ...process.env, TEST_DATABASE_URL: await testServerUrl() },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

/** The paths of test files by their pattern, both below the folder of all tests. */
export const findTests = (pattern: string): string[] => [...new Bun.Glob(pattern).scanSync({ cwd: testsFolder })];

/** Declares tests that pass if those of these files pass on the runtime, and if at least `testsMin` of them have run: some need Bun. */
export const testOn = (runtime: RuntimeName, files: readonly string[], { testsMin }: { readonly testsMin: number }) => {
  let results: TestResult[] = [];
  beforeAll(async () => {
    results = await runTestsOn(runtime, files);
  }, 300_000);

  test.each(files)('the tests of %s pass', (file) => {
    const own = results.filter(({ name }) => name.startsWith(`${file} > `));
    expect(own.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(own).not.toBeEmpty();
  });

  test('most tests do not need Bun, so they have run', () => {
    expect(results.length).toBeGreaterThan(testsMin);
  });
};

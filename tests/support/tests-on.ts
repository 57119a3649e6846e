import { join } from 'node:path';
import type { TestResult } from './bun-test.ts';
import { testServerUrl } from './postgres-database.ts';
import { executableOf, type RuntimeName } from './runtimes.ts';

/** The folder of all tests. */
export const testsFolder = join(import.meta.dirname, '..');

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

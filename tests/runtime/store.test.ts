/** The tests of the client of SQLite and of the store, on Node and Deno: the same files that Bun runs, with the same promises. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestResult } from '../support/bun-test.ts';
import { temporaryFolder } from '../support/folder.ts';
import { executableOf, type RuntimeName } from '../support/runtimes.ts';

const folder = join(import.meta.dirname, '..');
const patterns = ['runtime/sqlite.test.ts', 'store/*.test.ts', 'store/sqlite/*.test.ts'];
const found = patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ cwd: folder })]);
// It starts servers on each runtime itself.
const files = found.filter((file) => file !== 'store/sqlite/server.test.ts');

const run = async (runtime: RuntimeName, paths: readonly string[]): Promise<TestResult[]> => {
  const flags = runtime === 'deno' ? ['run', '-A'] : [];
  const command = [executableOf(runtime), ...flags, join(import.meta.dirname, 'test-program.ts'), ...paths];
  await using child = Bun.spawn(command, { cwd: folder, stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  if ((await child.exited) !== 0) throw new Error(stderr);
  return JSON.parse(stdout);
};

describe.each(['deno', 'node'] as const)('on %s', (runtime) => {
  let results: TestResult[] = [];
  beforeAll(async () => {
    results = await run(runtime, files);
  }, 300_000);

  test.each(files)('the tests of %s pass', (file) => {
    const own = results.filter(({ name }) => name.startsWith(`${file} > `));
    expect(own.filter(({ error }) => error !== undefined)).toEqual([]);
    expect(own).not.toBeEmpty();
  });

  test('most tests need nothing but the store, so they have run', () => {
    expect(results.length).toBeGreaterThan(280);
  });

  test('a test that fails is found', async () => {
    using other = temporaryFolder();
    const path = other.file('failing.mjs');
    writeFileSync(path, `import { expect, test } from 'bun:test'; test('one', () => expect(1).toBe(2));`);
    const [failed] = await run(runtime, [path]);
    expect(failed).toEqual({
      name: `${path} > one`,
      error: expect.stringContaining('expect(received).toBe(expected)'),
    });
  });
});

/** Plain `bun test`, without `bun run test`. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { filesIn, importsOf, sources } from '../support/project/imports.ts';
import { testsOf } from '../support/project/tests-of.ts';
import { readUntil } from '../support/until.ts';

const root = join(import.meta.dir, '../..');

const runTests = async (file: string, env: Readonly<Record<string, string>>) => {
  const child = Bun.spawn([process.execPath, 'test', file], {
    cwd: root,
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  return { exitCode, stderr };
};

describe('the tests of a source file', () => {
  test('they are those that import it', () => {
    expect(testsOf('src/base/int64.ts')).toContain('tests/base/int64.test.ts');
  });

  test('without one, they are those of the files that import it', () => {
    const imported = new Set(filesIn('tests').flatMap(importsOf));
    const indirect = sources.filter((path) => path.startsWith('src/cli/') && !imported.has(path));
    expect(indirect.length).toBeGreaterThan(5);
    expect(indirect.filter((path) => testsOf(path).length === 0)).toEqual([]);
  });

  test('a file that no test leads to has none', () => {
    expect(testsOf('src/none.ts')).toEqual([]);
  });
});

describe('plain bun test', () => {
  test('without files, its first line names the command that takes less time', async () => {
    const { BUN_TEST_WORKER_ID: _, ...env } = process.env;
    const child = Bun.spawn([process.execPath, 'test'], { cwd: root, env, stdout: 'ignore', stderr: 'pipe' });
    const shown = await readUntil(child.stderr.getReader(), 'runs seven at once');
    child.kill('SIGKILL');
    expect(shown).toMatch(/^\n\S+:\n`bun test` runs all files in one process, .*`bun run test`/);
  });

  test('with a file, it does not', async () => {
    const { stderr } = await runTests('tests/house/timings.test.ts', {});
    expect(stderr).toContain('timings.json names only files that exist');
    expect(stderr).not.toContain('bun run test`');
  });

  test('it starts PostgreSQL for a file that needs it', async () => {
    const { exitCode, stderr } = await runTests('tests/events/prune.test.ts', {});
    expect(stderr).toContain(' 0 fail');
    expect(exitCode).toBe(0);
  });

  test('when PostgreSQL does not start, it prints the reason in one line and ends', async () => {
    const { exitCode, stderr } = await runTests('tests/events/prune.test.ts', { TEST_POSTGRES_BIN: '/none' });
    expect(stderr).toMatch(/^The tests need PostgreSQL, and it does not start: .*'\/none\/initdb'$/m);
    expect(stderr).not.toContain('(fail)');
    expect(exitCode).toBe(1);
  });
});

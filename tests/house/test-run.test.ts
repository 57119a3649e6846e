/** Plain `bun test`, without `bun run test`. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';

const runTests = async (file: string, env: Readonly<Record<string, string>>) => {
  const child = Bun.spawn([process.execPath, 'test', file], {
    cwd: join(import.meta.dir, '../..'),
    env: { PATH: process.env['PATH'] ?? '', ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stderr, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  return { exitCode, stderr };
};

describe('plain bun test', () => {
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

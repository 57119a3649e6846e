/** The log that a killed process has left, and a process that uses it. */
import { afterAll, expect, test } from 'bun:test';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isLogDamaged } from '../../src/sqlite/log-damage.ts';
import { underStrace } from '../faults/support/strace.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runProgram } from '../support/programs/process.ts';
import { type Files, filesAfter } from '../support/store/log-files.ts';
import { until } from '../support/until.ts';

const folder = temporaryFolder();
afterAll(() => folder[Symbol.dispose]());

const write = async (name: string, change: (log: Buffer) => void = () => {}): Promise<string> => {
  const [{ database, log }] = (await filesAfter({ plants: 10 })) as [Files];
  change(log);
  const path = folder.file(name);
  writeFileSync(path, database);
  writeFileSync(`${path}-wal`, log);
  return path;
};

test('a damaged log ends serve with code 1 and its reason', async () => {
  const path = await write('damaged.sqlite', (log) => log.fill(1, 5000, 6000));
  const { exitCode, stderr } = await runProgram(['serve', '--port', '0', '--database', path]);
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining(`Database ${path} is damaged in its log (-wal)`)]);
});

test('a log that another process writes, and begins anew, is not damaged', async () => {
  const path = await write('written.sqlite');
  const script = `
    import { connect } from '${join(import.meta.dirname, '../../src/sqlite/client.ts')}';
    const client = connect('${path}');
    client.run('PRAGMA synchronous = OFF');
    client.run('PRAGMA wal_autocheckpoint = 600');
    console.log('open');
    for (let n = 0; ; n += 1) client.run("UPDATE plants SET name = 'n" + n + "'");
  `;
  const writer = Bun.spawn([process.execPath, '--eval', script], { stdout: 'pipe', stderr: 'inherit' });
  try {
    await writer.stdout.getReader().read();
    const headers = new Set<string>();
    for (let looks = 0; looks < 200 || headers.size < 10; looks += 1) {
      expect(isLogDamaged(path)).toBe(false);
      headers.add(readFileSync(`${path}-wal`).toString('hex', 0, 32));
    }
  } finally {
    writer.kill('SIGKILL');
    await writer.exited;
  }
});

test.skipIf(Bun.which('strace') === null)(
  'a log that a killed process has left is synced before the next write',
  async () => {
    const path = await write('synced.sqlite');
    const trace = folder.file('trace');
    const options = ['--output', trace, '--decode-fds=path', '--trace', 'pwrite64,fsync'];
    const { exitCode } = await runProgram(['token', 'create', '--name', 'a', '--database', path], {
      program: underStrace(options),
    });
    expect(exitCode).toBe(0);
    await until(() => readFileSync(trace, 'utf8').includes('+++ exited'));
    const calls = readFileSync(trace, 'utf8').match(/^(pwrite64|fsync)(?=\(\d+<[^>]*-wal>)/gm) ?? [];
    expect(calls.slice(0, 2)).toEqual(['fsync', 'pwrite64']);
  },
);

/** Copies of the database, and commands that read while other processes write. */
import { Database } from 'bun:sqlite';
import { expect, test } from 'bun:test';
import { existsSync, statSync } from 'node:fs';
import { startServer } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';

test('backup refuses a target beside the log of another database', async () => {
  using work = createWorkplace();
  await work.fill(10);
  work.write('copy.sqlite-wal', 'an old log');
  for (const force of [[], ['--force']]) {
    expect((await work.run('backup', 'copy.sqlite', ...force)).stderr).toContain(
      'copy.sqlite-wal is the log of another database',
    );
  }
  expect(existsSync(work.file('copy.sqlite'))).toBe(false);
  expect((await work.run('backup', '-')).exitCode).toBe(2);
  expect((await work.run('backup', 'no/such/copy.sqlite')).exitCode).toBe(1);
});

test('backup prints the name and the size of the copy', async () => {
  using work = createWorkplace();
  await work.fill(1000);
  const { exitCode, stdout, stderr } = await work.run('backup', 'copy.sqlite');
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  expect(stderr).toEndWith(`The backup is complete: copy.sqlite, ${statSync(work.file('copy.sqlite')).size} bytes.\n`);
});

test.each([[['export', '-']], [['backup', 'copy.sqlite']], [['token', 'list']], [['token', 'revoke', 'tok_x']]])(
  '%j of a database that is not there fails, and makes none',
  async (args) => {
    using work = createWorkplace();
    expect(await work.run(...args)).toMatchObject({ exitCode: 1, stdout: '' });
    expect(work.files()).toEqual([]);
  },
);

test('commands that read succeed while another process has locked the database for writing', async () => {
  using work = createWorkplace();
  work.write('a.ndjson', '{"id":1,"name":"n"}\n');
  await work.run('import', 'a.ndjson');
  await work.run('token', 'create', '--name', 'a');
  using writer = new Database(work.database);
  writer.run('BEGIN IMMEDIATE');
  expect(await work.plants()).toEqual(['{"id":1,"name":"n"}']);
  expect((await work.run('token', 'list')).stdout).toContain('\ta\t');
  expect((await work.run('backup', 'copy.sqlite')).exitCode).toBe(0);
  await using server = await startServer(work.database);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
});

test('while a server runs, an export contains one snapshot and a backup a complete database', async () => {
  using work = createWorkplace();
  const rows = Array.from({ length: 3000 }, (_, row) => `{"id":${row},"name":"n"}`);
  work.write('a.ndjson', rows.join('\n'));
  await work.run('import', 'a.ndjson');
  const token = (await work.run('token', 'create', '--name', 'a')).stdout.trim();
  await using server = await startServer(work.database);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let isDone = false;
  const writing = (async () => {
    let id = 10_000;
    for (; !isDone; id += 1) {
      const response = await fetch(`${server.url}/plants`, {
        method: 'POST',
        headers,
        body: `{"id":${id},"name":"n"}`,
      });
      expect(response.status).toBe(200);
    }
    return id - 10_000;
  })();
  const exported = (await work.run('export', '-')).stdout.split('\n').slice(0, -1);
  const backup = await work.run('backup', 'copy.sqlite');
  isDone = true;
  expect(await writing).toBeGreaterThan(0);
  expect(backup).toMatchObject({ exitCode: 0, stdout: '' });

  const ids = exported.map((line) => Number(/"id":(\d+)/.exec(line)?.[1]));
  const late = ids.slice(3000);
  expect(ids.slice(0, 3000)).toEqual(rows.map((_, row) => row));
  expect(late).toEqual(late.map((_, at) => 10_000 + at));

  using copy = new Database(work.file('copy.sqlite'), { readonly: true });
  expect(copy.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
  expect((await work.run('backup', 'copy.sqlite')).exitCode).toBe(1);
  expect((await work.run('backup', 'copy.sqlite', '--force')).exitCode).toBe(0);
  await using restored = await startServer(work.file('copy.sqlite'));
  expect((await fetch(`${restored.url}/plants/2999`, { headers })).status).toBe(200);
});

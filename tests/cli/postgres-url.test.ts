/** Command lines with the URL of a PostgreSQL database that no command connects to. */
import { describe, expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/programs/command.ts';

const password = 'hunter2';
const url = `postgres://keeper:${password}@127.0.0.1:1/plants`;

test('backup refuses a PostgreSQL database in one line that names pg_dump, and creates no file', async () => {
  using folder = temporaryFolder();
  for (const force of [[], ['--force']]) {
    const outcome = await runCommand(['backup', 'copy', ...force, '--database', url], { cwd: folder.path });
    const stderr = 'plant-store: backup copies SQLite databases only. Use pg_dump for PostgreSQL.\n';
    expect(outcome).toEqual({ exitCode: 1, stdout: '', stderr });
  }
  expect([...new Bun.Glob('**').scanSync({ cwd: folder.path, dot: true })]).toEqual([]);
});

describe('an invalid URL', () => {
  test.each([
    [`${url}?sslmod=require`, 'its parameters must be of host, port, user, password, dbname, sslmode, '],
    [`${url}?sslmode=requires`, 'its sslmode must be one of disable, allow, prefer, require, verify-ca, verify-full'],
    [
      `postgres://keeper:a/${password}@h/d`,
      'an @ in its password, and a / there or in its database, must be written as',
    ],
    [`postgres://keeper:%${password}@h/d`, 'its password must be percent-encoded UTF-8'],
  ])('an invalid URL is refused with exit code 2 and the reason, without its password: %s', async (bad, reason) => {
    for (const command of [
      ['serve', '--port', '0'],
      ['token', 'list'],
      ['export', '-'],
    ]) {
      const byFlag = await runCommand([...command, '--database', bad]);
      const bySetting = await runCommand(command, { env: { DATABASE_URL: bad } });
      for (const [name, outcome] of [['--database', byFlag] as const, ['DATABASE_URL', bySetting] as const]) {
        expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
        expect(outcome.stderr).toStartWith(`plant-store: ${name} must be a valid PostgreSQL URL: ${reason}`);
        expect(outcome.stderr).not.toContain(password);
      }
    }
  });
});

test.each([
  [[url]],
  [['token', url]],
  [['migrate', `--databas=${url}`]],
  [['import', url]],
  [['import', `${url}.csv`, '--format', url]],
  [['import', '-', '--rejects', url]],
  [['backup', url]],
  [['export', `//keeper:${password}@h`]],
  [['export', `keeper:${password}@h`]],
  [['copy', url]],
  [['health', '--host', `keeper:${password}@h`]],
  [['token', 'revoke', url]],
  [['webhook', 'remove', url]],
  [['serve', `--databse=${url.replace('://', '//')}`]],
  [['listen', `--secrt=${password}`]],
  [['export', url]],
  [['token', 'create', '--name', 'a', '--scope', url]],
  [['webhook', 'add', url]],
  [['migrate', '--database', `postgresql:/keeper:${password}@h/d`]],
])('a URL in the wrong place is never repeated with its password: %j', async (args) => {
  using folder = temporaryFolder();
  const { exitCode, stdout, stderr } = await runCommand(args, { cwd: folder.path });
  expect(exitCode).toBeGreaterThan(0);
  expect(stderr).not.toBe('');
  expect(stdout + stderr).not.toContain(password);
  expect([...new Bun.Glob('**').scanSync({ cwd: folder.path })].join()).not.toContain(password);
});

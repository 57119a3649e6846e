/** Commands on a PostgreSQL server that requires a password and is not always available. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'bun:test';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { generateToken } from '../../src/tokens/token.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/network/port.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/postgres-server.ts';
import { runCommand } from '../support/programs/command.ts';
import { inDevelopment, startServer, underTest } from '../support/programs/process.ts';
import { readUntil, until } from '../support/until.ts';

const password = 'hunter2';
let server: PostgresServer;
let url: string;
/** The URL without the user and the password. */
let shown: string;

beforeAll(async () => {
  server = await startPostgres();
  const rules = join(server.folder, 'data/pg_hba.conf');
  writeFileSync(rules, `host all keeper all scram-sha-256\n${readFileSync(rules, 'utf8')}`);
  await using sql = new SQL(server.url, { max: 1 });
  await sql.unsafe(`create role keeper superuser login password '${password}'`);
  await sql`select pg_reload_conf()`;
  url = `postgres://keeper:${password}@127.0.0.1:${server.port}/postgres`;
  shown = url.replace(`keeper:${password}@`, '');
});

afterAll(() => server[Symbol.asyncDispose]());

test('no output of a command or of serve has the password of the database', async () => {
  const env = { DATABASE_URL: url };
  for (const args of [['migrate'], ['token', 'create', '--name', 'a'], ['token', 'list'], ['export', '-']]) {
    const { exitCode, stdout, stderr } = await runCommand(args, { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stdout + stderr).not.toContain(password);
  }
  await using running = await startServer(url, { env: { LOG_LEVEL: 'trace' } });
  expect((await fetch(`${running.url}/readyz`)).status).toBe(200);
  running.kill();
  expect(await running.exited).toBe(0);
  expect(JSON.stringify(running.log) + running.stdout()).not.toContain(password);
});

test('in development the token is stored in ./data, and the printed commands contain no password', async () => {
  using folder = temporaryFolder();
  await using running = await startServer(url, { ...inDevelopment, cwd: folder.path });
  await until(() => running.stdout().includes('DELETE'));
  expect(statSync(folder.file('data/development.token')).mode & 0o777).toBe(0o600);
  expect(JSON.stringify(running.log) + running.stdout()).not.toContain(password);
});

describe('a database that cannot be used', () => {
  test('a command with an unavailable server fails in one line with exit code 1, without the password', async () => {
    const away = url.replace(String(server.port), String(await freePort()));
    for (const args of [['token', 'list'], ['migrate'], ['export', '-']]) {
      const { exitCode, stdout, stderr } = await runCommand([...args, '--database', away]);
      expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
      expect(stderr).toMatch(/^plant-store: .+\n$/);
      expect(stderr).not.toContain(password);
    }
  });

  test('serve with a password that the server rejects exits with code 1 and the reason', async () => {
    const wrong = url.replace(password, `${password}x`);
    const { exitCode, stdout, stderr } = await runCommand(['serve', '--port', '0', '--database', wrong]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    expect(stderr).toMatch(/^plant-store: .*password.*$/m);
    expect(stderr).not.toContain(password);
  });

  test('serve exits with code 1 and one line when the CA file is missing', async () => {
    const { exitCode, stderr } = await runCommand([
      ...['serve', '--port', '0'],
      ...['--database', `${url}?sslmode=verify-full&sslrootcert=/no/such/file`],
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toBe(
      'plant-store: The sslrootcert of the database cannot be read: /no/such/file is not a PEM file.\n',
    );
  });
});

describe('while the server is unavailable', () => {
  beforeEach(() => server.stop());
  afterEach(() => server.start());

  /** Starts `serve`, which does not become ready. */
  const serveAway = async () => {
    const port = await freePort();
    const child = Bun.spawn([...underTest, 'serve', '--port', String(port), '--database', url], {
      env: { PATH: process.env['PATH'] ?? '' },
      stdout: 'pipe',
      stderr: 'pipe',
    });
    const log = child.stderr.getReader();
    return {
      at: `http://127.0.0.1:${port}`,
      child,
      untilLogged: (message: string) => readUntil(log, `"msg":"${message}"`),
      [Symbol.asyncDispose]: async () => {
        child.kill('SIGKILL');
        await child.exited;
      },
    };
  };

  test('serve started while the server is unavailable answers 503, and becomes ready when the server starts', async () => {
    await using running = await serveAway();
    const waiting = await running.untilLogged('database unavailable');
    expect(waiting).toContain(`"database":"${shown}"`);
    expect(waiting).not.toContain('"msg":"ready"');
    const statusOf = async (path: string): Promise<number> => {
      const headers = { authorization: `Bearer ${generateToken()}` };
      return (await fetch(running.at + path, { headers })).status;
    };
    expect(await statusOf('/healthz')).toBe(200);
    expect(await statusOf('/readyz')).toBe(503);
    expect(await statusOf('/plants')).toBe(503);

    await server.start();
    const ready = await running.untilLogged('ready');
    expect(await statusOf('/readyz')).toBe(200);
    expect(await statusOf('/plants')).toBe(401);
    running.child.kill();
    expect(await running.child.exited).toBe(0);
    expect(waiting + ready).not.toContain(password);
    await server.stop();
  });

  test('serve that waits for the server stops at a signal with exit code 0', async () => {
    await using running = await serveAway();
    await running.untilLogged('database unavailable');
    running.child.kill();
    expect(await running.child.exited).toBe(0);
  });
});

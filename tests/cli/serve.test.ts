/** The program as a process: its first minute, its signals, its log, and other processes on the same database. */

import { describe, expect, test } from 'bun:test';
import { cpSync, existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { scripts } from '../../package.json';
import { diskFailed, errors } from '../../src/base/app-error.ts';
import { temporaryFolder } from '../support/folder.ts';
import { sendRaw } from '../support/network/raw.ts';
import { createPlant, giveToken, halfSent } from '../support/network/served.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { runCommand } from '../support/programs/command.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { inDevelopment, startServer, underTest } from '../support/programs/process.ts';
import { readUntil, until } from '../support/until.ts';

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
};

/** Kills a process and its children if they still run. */
const killGroup = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All have already ended.
  }
};

describe('in development', () => {
  test('in development the printed command creates a plant when it is pasted, and again after a restart', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const tokens: string[] = [];
    for (let start = 0; start < 2; start += 1) {
      await using server = await startServer(database, inDevelopment);
      await until(() => server.stdout().includes('Read it back'));
      const [create = '', read = ''] = server.stdout().match(/^curl (?:.*\\\n)*.*$/gm) ?? [];
      const answer = /The response is (\{.*\})\./.exec(server.stdout())?.[1] ?? '';
      const shell = (command: string): Promise<string> => Bun.spawn(['sh', '-c', command]).stdout.text();
      expect(await shell(create)).toBe(answer);
      expect(await shell(read)).toContain('"id":9007199254740993,');
      tokens.push(/Bearer (plant_\w+)/.exec(create)?.[1] ?? '');
    }
    expect(tokens[0]).toBe(tokens[1] ?? '');
    expect(statSync(folder.file('development.token')).mode & 0o777).toBe(0o600);
    expect((await runCommand(['token', 'list', '--database', database])).stdout.trim().split('\n')).toHaveLength(1);
  });

  test('in development pages from this machine get their preflight without a token, and in production none does', async () => {
    using folder = temporaryFolder();
    const preflightStatuses = async (options: object): Promise<number[]> => {
      await using server = await startServer(folder.file('p.sqlite'), options);
      const statuses: number[] = [];
      for (const origin of [
        'http://localhost:5173',
        'http://127.0.0.1:8080',
        'http://[::1]:3001',
        'https://garden.example',
      ]) {
        const headers = { origin, 'access-control-request-method': 'POST' };
        statuses.push((await fetch(`${server.url}/plants`, { method: 'OPTIONS', headers })).status);
      }
      return statuses;
    };
    expect(await preflightStatuses(inDevelopment)).toEqual([204, 204, 204, 401]);
    expect(await preflightStatuses({})).toEqual([401, 401, 401, 401]);
  });

  test('in development the commands printed next send the webhook of a change to the inbox, which verifies it', async () => {
    using folder = temporaryFolder();
    await using server = await startServer(folder.file('p.sqlite'), inDevelopment);
    await until(() => server.stdout().includes('DELETE'));
    const [create = '', , add = '', remove = ''] = server.stdout().match(/^curl (?:.*\\\n)*.*$/gm) ?? [];
    for (const command of [create, add, remove])
      expect(await Bun.spawn(['sh', '-c', `${command} --fail`], { stdout: 'ignore', stderr: 'ignore' }).exited).toBe(0);
    const inbox = await fetch(`${server.url}/inbox`, { headers: { accept: 'text/event-stream' } });
    const reader = (inbox.body ?? new ReadableStream()).getReader();
    expect(await readUntil(reader, 'plant.deleted')).toMatch(/9007199254740993.*"webhookId":"wh_/);
    await reader.cancel();
  });

  test('in development a change to a source file restarts the server, and the data stays', async () => {
    using folder = temporaryFolder();
    const root = join(import.meta.dir, '../..');
    for (const part of ['src', 'db', 'package.json']) cpSync(join(root, part), folder.file(part), { recursive: true });
    symlinkSync(join(root, 'node_modules'), folder.file('node_modules'));
    const [setup, command = ''] = scripts.dev.split(' && ');
    const [assignment = '', exec, bun, ...args] = command.split(' ');
    expect([setup, assignment, exec, bun]).toEqual([
      'bun setup.ts --production',
      'NODE_ENV=development',
      'exec',
      'bun',
    ]);
    const developing = Bun.spawn([process.execPath, ...args, '--port', '0'], {
      cwd: folder.path,
      env: { ...process.env, NODE_ENV: 'development' },
      stdout: 'pipe',
      stderr: 'ignore',
    });
    try {
      let shown = '';
      const reader = developing.stdout.getReader();
      const nextStart = async (): Promise<string> => {
        shown = await readUntil(reader, 'Read it back');
        return /listens on (\S+)\. /.exec(shown)?.[1] ?? '';
      };
      const first = await nextStart();
      const token = /Bearer (plant_\w+)/.exec(shown)?.[1] ?? '';
      expect((await createPlant(first, token, '{"id":1,"name":"n"}')).status).toBe(200);

      const source = folder.file('src/app/health.ts');
      writeFileSync(source, readFileSync(source, 'utf8').replace("status: 'ok'", "status: 'changed'"));
      const second = await nextStart();
      expect(await (await fetch(`${second}/healthz`)).text()).toBe('{"status":"changed"}');
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${second}/plants/1`, { headers })).status).toBe(200);
    } finally {
      developing.kill('SIGKILL');
      await developing.exited;
    }
  });

  test('in development a revoked token is replaced at the next start', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    {
      await using server = await startServer(database, inDevelopment);
      await until(() => server.stdout().includes('Read it back'));
    }
    const id = (await runCommand(['token', 'list', '--database', database])).stdout.split('\t')[0] ?? '';
    await runCommand(['token', 'revoke', id, '--database', database]);
    await using server = await startServer(database, inDevelopment);
    await until(() => server.stdout().includes('Read it back'));
    const token = /Bearer (plant_\w+)/.exec(server.stdout())?.[1] ?? '';
    expect((await createPlant(server.url, token, '{"id":1,"name":"n"}')).status).toBe(200);
  });
});

test('in production no token is created and only the log is printed', async () => {
  using folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  await using server = await startServer(database);
  await fetch(`${server.url}/healthz`);
  server.kill();
  expect(await server.exited).toBe(0);
  expect(server.stdout()).toBe('');
  expect(existsSync(folder.file('development.token'))).toBe(false);
  expect((await runCommand(['token', 'list', '--database', database])).stdout).toBe('');
});

test('a plant survives a stop, a start and a kill', async () => {
  using folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  const token = await giveToken(database);
  for (const [id, signal] of [
    ['1', 'SIGTERM'],
    ['2', 'SIGKILL'],
    ['3', 'SIGINT'],
  ] as const) {
    await using server = await startServer(database);
    expect((await createPlant(server.url, token, `{"id":${id},"name":"n"}`)).status).toBe(200);
    server.kill(signal);
    await server.exited;
  }
  await using server = await startServer(database);
  for (const id of ['1', '2', '3']) {
    const found = await fetch(`${server.url}/plants/${id}`, { headers: { authorization: `Bearer ${token}` } });
    expect(found.status).toBe(200);
  }
});

test('a token that another process revokes is refused at the next request', async () => {
  using folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  await using server = await startServer(database);
  const token = await giveToken(database);
  expect((await createPlant(server.url, token, '{"id":1,"name":"n"}')).status).toBe(200);
  const id = (await runCommand(['token', 'list', '--database', database])).stdout.split('\t')[0] ?? '';
  await runCommand(['token', 'revoke', id, '--database', database]);
  expect((await createPlant(server.url, token, '{"id":1,"name":"n"}')).status).toBe(401);
});

describe('the log', () => {
  test('the log has one JSON line per request, with the route instead of the path, and no token, body or id', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await giveToken(database);
    await using server = await startServer(database);
    await createPlant(server.url, token, '{"id":8123456789,"name":"a secret name"}');
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${server.url}/plants/8123456789`, { headers });
    await fetch(`${server.url}/plants/8123456789?${token}&access_token=${token}`, { headers });
    await fetch(`${server.url}/a/secret/path`, { headers });
    await fetch(`${server.url}/plants`, { headers, method: 'PUT' });
    server.kill();
    await server.exited;

    const requests = server.log.filter(({ msg }) => msg === 'request');
    expect(requests.map(({ method, route, status }) => [method, route, status])).toEqual([
      ['POST', '/plants', 200],
      ['GET', '/plants/:id', 200],
      ['GET', '/plants/:id', 400],
      ['GET', '/*', 404],
      ['PUT', '/plants', 405],
    ]);
    for (const line of requests) {
      expect(Object.keys(line)).toEqual([
        'level',
        'time',
        'requestId',
        'method',
        'route',
        'status',
        'durationMs',
        ...(Number(line['status']) < 400 ? [] : ['tokenId', 'client']),
        'msg',
      ]);
      expect(line['durationMs']).toBeNumber();
    }
    expect(new Set(requests.map(({ requestId }) => requestId)).size).toBe(5);
    expect(JSON.stringify(server.log)).not.toMatch(/plant_|secret|8123456789/);
  });

  linuxTest.each([
    ['a full disk', 'exec sh run "$0" "$@" 2>/dev/full'],
    ['a pipe that nobody reads', 'sh run "$0" "$@" 2>&1 >/dev/null | sleep 60'],
    ['a pipe that is closed', 'sh run "$0" "$@" 2>&1 >/dev/null | true'],
    ['no stderr at all', 'exec sh run "$0" "$@" 2>&-'],
  ])('a log to %s never stops the service', async (_what, script) => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    await runCommand(['migrate', '--database', database]);
    await Bun.write(folder.file('run'), 'echo $$ > pid; exec "$@"');
    // Without a log there is no line `ready`, so the port must be known.
    const probe = Bun.serve({ port: 0, fetch: () => new Response() });
    const { port } = probe;
    await probe.stop(true);
    const shell = Bun.spawn(['sh', '-c', script, ...underTest, 'serve', '--port', `${port}`, '--database', database], {
      cwd: folder.path,
      detached: true,
      stdout: 'ignore',
      stderr: 'ignore',
    });
    try {
      const health = (): Promise<number> =>
        fetch(`http://127.0.0.1:${port}/healthz`).then(
          ({ status }) => status,
          () => 0,
        );
      await until(async () => (await health()) === 200);
      for (let request = 0; request < 1500; request += 1) expect(await health()).toBe(200);
      const server = Number(readFileSync(folder.file('pid'), 'utf8'));
      process.kill(server, 'SIGTERM');
      await until(async () => (await health()) === 0 && !isRunning(server));
    } finally {
      killGroup(shell.pid);
    }
  });

  test('an unknown LOG_LEVEL stops the start', async () => {
    using folder = temporaryFolder();
    const { exitCode, stderr } = await runCommand(['serve', '--database', folder.file('p.sqlite')], {
      env: { LOG_LEVEL: 'loud' },
    });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 2,
      stderr: expect.stringContaining('LOG_LEVEL must be one of trace'),
    });
  });
});

test('a second server on the same port prints one line, exits with 1 and changes no file', async () => {
  using folder = temporaryFolder();
  await using server = await startServer(folder.file('p.sqlite'));
  const second = folder.file('second.sqlite');
  const { exitCode, stdout, stderr } = await runCommand(['serve', '--port', `${server.port}`, '--database', second]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
  expect(stderr).toMatch(/^plant-store: .*port.*\n$/);
  expect(existsSync(second)).toBe(false);
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
});

describe('a signal', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)(
    'after %s the server finishes requests in flight, accepts no new ones, and exits with 0',
    async (signal) => {
      using folder = temporaryFolder();
      const database = folder.file('p.sqlite');
      const token = await giveToken(database);
      await using server = await startServer(database);
      using request = await halfSent(server.port, token);
      server.kill(signal);
      await server.logged('stopping');
      // Requests that arrive while the port is closed get a response.
      await until(async () => (await sendRaw(server.port, ['GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'])).text === '');
      request.finish();
      expect(await request.answer).toStartWith('HTTP/1.1 200 OK');
      expect(await server.exited).toBe(0);
      expect(existsSync(`${database}-wal`)).toBe(false);
    },
  );

  test('a signal stops a server with idle connections immediately', async () => {
    using folder = temporaryFolder();
    await using server = await startServer(folder.file('p.sqlite'));
    const idle = connect(server.port, '127.0.0.1');
    idle.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await new Promise((resolve) => idle.once('data', resolve));
    server.kill();
    expectPace('the stop', await idleMs(server.exited), 5000);
    expect(await server.exited).toBe(0);
    idle.destroy();
  });

  test('during SHUTDOWN_DELAY a server accepts requests and is not ready, and a second signal stops it immediately', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await giveToken(database);
    await using server = await startServer(database, { env: { SHUTDOWN_DELAY: '300s' } });
    const statusOf = async (path: string): Promise<number> => (await fetch(server.url + path)).status;
    expect(await statusOf('/readyz')).toBe(200);
    server.kill();
    await server.logged('stopping');
    await until(async () => (await statusOf('/readyz')) === 503);
    expect(await statusOf('/healthz')).toBe(200);
    expect((await createPlant(server.url, token, '{"id":1,"name":"n"}')).status).toBe(200);
    server.kill();
    expect(await server.exited).toBe(143);
  });

  test('a second signal stops the process immediately', async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await giveToken(database);
    await using server = await startServer(database);
    using _request = await halfSent(server.port, token);
    server.kill('SIGTERM');
    await server.logged('stopping');
    server.kill('SIGINT');
    // Not after the ten seconds that a stop may take.
    expectPace('the stop', await idleMs(server.exited), 8000);
    expect(await server.exited).toBe(130);
  });
});

linuxTest(
  'when the disk fails, the outcome is unknown: 50301, and the process stops with a non-zero code',
  async () => {
    using folder = temporaryFolder();
    const database = folder.file('p.sqlite');
    const token = await giveToken(database);
    // Beyond a limit on the file size every write fails, as on a broken disk; with the signal ignored, a write only returns an error.
    const limited = ['sh', '-c', 'trap "" XFSZ; ulimit -f 200; exec "$0" "$@"', ...underTest];
    await using server = await startServer(database, { program: limited });
    let answer: Response | undefined;
    let created = 0;
    for (let id = 1; answer?.status === 200 || id === 1; id += 1) {
      answer = await createPlant(server.url, token, `{"id":${id},"name":"${'n'.repeat(500)}"}`);
      if (answer.status === 200) created = id;
    }
    expect(answer?.status).toBe(503);
    expect(await answer?.text()).toBe(
      JSON.stringify({ error: errors.outcome_unknown.number, message: diskFailed.message }),
    );
    expect(await server.exited).toBe(1);
    expect(server.log.map(({ msg }) => msg)).toContain('the disk failed');

    await using again = await startServer(database);
    for (let id = 1; id <= created; id += 1) {
      expect((await fetch(`${again.url}/plants/${id}`, { headers: { authorization: `Bearer ${token}` } })).status).toBe(
        200,
      );
    }
  },
);

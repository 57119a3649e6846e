/** `serve --demo` as a process. Its responses are tested in `tests/demo/` and `tests/house/demo.test.ts`. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { readdirSync } from 'node:fs';
import { serveDemo } from '../../src/cli/serve-demo.ts';
import { readConfig } from '../../src/config/config.ts';
import { eventIdOf, toPayload } from '../../src/events/event.ts';
import { firstTest } from '../../src/events/sample.ts';
import { createLog } from '../../src/log.ts';
import { monstera } from '../../src/plants/sample.ts';
import { demoToken, readerToken } from '../../src/tokens/sample.ts';
import { documentedResponses, requestOf } from '../support/document/documented-response.ts';
import { temporaryFolder } from '../support/folder.ts';
import { inDevelopment, type RunningServer, startDemo } from '../support/programs/process.ts';
import { asStream } from '../support/streams/event-stream.ts';
import { until } from '../support/until.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';

const authorization = `Bearer ${demoToken}`;
const send = ({ url }: RunningServer, method: string, path: string, body?: string): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...(body !== undefined && { body }),
  });

/** The responses to every request in the examples of the document, one after the other. */
const responsesOf = async ({ url }: RunningServer): Promise<readonly string[]> => {
  const responses: string[] = [];
  for (const documented of documentedResponses.filter(({ status, name }) => status < 300 && name !== 'live')) {
    const [method, path, { headers, body }] = requestOf(documented);
    // The metrics have measured times.
    if (path === '/metrics') continue;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: { authorization, ...headers },
      ...(typeof body === 'string' && { body }),
    });
    responses.push(`${method} ${path} ${response.status} ${response.headers.get('etag')} ${await response.text()}`);
  }
  return responses;
};

describe('a demo that has started', () => {
  const folder = temporaryFolder();
  let one: RunningServer;
  let other: RunningServer;
  beforeAll(async () => {
    const env = { DATABASE_URL: 'mysql2://root@127.0.0.1/app_test', EVENT_RETENTION: '1s' };
    const cwd = folder.path;
    [one, other] = await Promise.all([
      startDemo({ cwd, env }),
      startDemo({
        ...inDevelopment,
        cwd,
        env: { ...inDevelopment.env, CORS_ORIGINS: 'https://plants.example', TZ: 'Asia/Tokyo' },
      }),
    ]);
  });
  afterAll(async () => {
    await one[Symbol.asyncDispose]();
    await other[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  test('a demo prints its URL, its tokens and commands that work', async () => {
    await until(() => one.stdout().includes('__demo/reset'));
    const shown = one.stdout();
    for (const text of ['DEMO', one.url, demoToken, readerToken]) expect(shown).toContain(text);
    const [read = '', reset = ''] = shown.match(/^curl .*$/gm) ?? [];
    const shell = (command: string): Promise<string> => Bun.spawn(['sh', '-c', command]).stdout.text();
    expect(await shell(read)).toStartWith(`{"id":${monstera.id},"name":"${monstera.name}"`);
    expect(await shell(`${reset} -w '%{http_code}'`)).toBe('204');
  });

  test('every start and every reset of a demo gives the same responses', async () => {
    const responses = await responsesOf(one);
    expect(responses.length).toBeGreaterThan(20);
    expect(await responsesOf(other)).toEqual([...responses]);
    const stream = await fetch(`${one.url}/events`, { headers: { authorization, ...asStream } });
    expect((await send(one, 'POST', '/__demo/reset')).status).toBe(204);
    expect(await stream.text()).toBe(':\n');
    expect(await responsesOf(one)).toEqual([...responses]);
    for (const demo of [one, other]) await send(demo, 'POST', '/__demo/reset');
  });

  test('a webhook to this machine is sent the test of the documented example, and again after a reset', async () => {
    using receiver = createReceiver();
    for (const count of [1, 2]) {
      const created: { id: string } = JSON.parse(
        await (await send(one, 'POST', '/webhooks', JSON.stringify({ url: receiver.url }))).text(),
      );
      expect((await send(one, 'POST', `/webhooks/${created.id}/test`)).status).toBe(202);
      const message = (await receiver.got(count)).at(-1);
      expect(message?.body).toBe(JSON.stringify(toPayload(firstTest)));
      expect(message?.headers['webhook-id']).toBe(eventIdOf(firstTest));
      await send(one, 'POST', '/__demo/reset');
    }
  });

  test('a demo uses the settings of a service, but not its database', async () => {
    const allowedBy = async ({ url }: RunningServer, origin: string): Promise<string | null> =>
      (await fetch(`${url}/plants/1`, { headers: { authorization, origin } })).headers.get(
        'access-control-allow-origin',
      );
    expect(await allowedBy(one, 'https://any.example')).toBeNull();
    expect(await allowedBy(one, 'http://localhost:5173')).toBe('http://localhost:5173');
    expect(await allowedBy(other, 'https://any.example')).toBeNull();
    expect(await allowedBy(other, 'https://plants.example')).toBe('https://plants.example');
    expect((await fetch(`${one.url}/readyz`)).status).toBe(200);
  });

  test('a demo stops at a signal with exit code 0, and has reported no failure and written nothing to the disk', async () => {
    one.kill();
    other.kill('SIGINT');
    expect(await Promise.all([one.exited, other.exited])).toEqual([0, 0]);
    expect([...one.log, ...other.log].filter(({ level }) => level !== 'info')).toEqual([]);
    expect(readdirSync(folder.path)).toEqual([]);
  });
});

test('a demo delays every response, and sends delayed ones at once when it stops', async () => {
  const delayMs = 300;
  await using demo = await startDemo({ args: ['--delay', `${delayMs}ms`] });
  for (const [path, headers] of [
    ['/plants/1', { authorization }],
    ['/plants/9', { authorization }],
    ['/plants', {}],
    ['/plants', { authorization, prefer: 'code=503' }],
    ['/healthz', {}],
    ['/events', { authorization, ...asStream }],
  ] as const) {
    const startedAtMs = performance.now();
    const response = await fetch(`${demo.url}${path}`, { headers });
    // A timer may fire a millisecond early.
    expect([path, performance.now() - startedAtMs > delayMs - 2]).toEqual([path, true]);
    await response.body?.cancel();
  }
  await using slow = await startDemo({ args: ['--delay', '10s'] });
  const read = fetch(`${slow.url}/plants/1`, { headers: { authorization } });
  // The log has the request before its response is sent.
  await slow.logged('request');
  slow.kill();
  expect((await read).status).toBe(200);
  expect(await slow.exited).toBe(0);
});

test('the retry test in examples/ci succeeds on a demo', async () => {
  await using demo = await startDemo();
  using folder = temporaryFolder();
  await Bun.write(folder.file('retry.test.ts'), Bun.file(`${import.meta.dir}/../../examples/ci/retry.test.ts`));
  const child = Bun.spawn([process.execPath, 'test', './retry.test.ts', '--timeout', '60000'], {
    cwd: folder.path,
    env: { PATH: process.env['PATH'], PLANT_STORE_URL: demo.url },
    stderr: 'pipe',
  });
  const [output, exitCode] = await Promise.all([child.stderr.text(), child.exited]);
  expect(output).toMatch(/ 3 pass\n 0 fail\n/);
  expect(exitCode).toBe(0);
});

test.each(['0.0.0.0', '::', '10.0.0.1', 'plants.test'])(
  'a demo on %s is refused, with the flag that permits it',
  async (host) => {
    const config = readConfig({ demo: true }, { HOST: host });
    const options = { config, log: createLog('silent'), tracer: undefined, isSending: true, printNotice: () => {} };
    await expect(serveDemo({ ...options, isAnywhere: false })).rejects.toThrow(
      `Use --demo-anywhere to listen on ${host}.`,
    );
  },
);

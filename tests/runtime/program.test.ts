/** One pass through the program from the source on each runtime. `bun run faults --group runtimes` has the rest. */
import { expect, test } from 'bun:test';
import { dirname, join } from 'node:path';
import { host } from '../../src/config/setting-values.ts';
import { demoToken } from '../../src/tokens/sample.ts';
import { expectPages } from '../support/app/served-pages.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/network/port.ts';
import { sendRaw } from '../support/network/raw.ts';
import { giveToken } from '../support/network/served.ts';
import { type RunOptions, runProgram, startDemo, startServer } from '../support/programs/process.ts';
import { commandOf } from '../support/programs/programs.ts';
import { executableOf, type RuntimeName, runtimeNames } from '../support/programs/runtimes.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';

/** By its script in package.json, if it has one. The runtime of the script is on the PATH. */
const starting = (runtime: RuntimeName): readonly string[] => {
  if (runtime === 'bun') return commandOf('bun source');
  const path = `PATH=${dirname(executableOf(runtime))}:${process.env['PATH']}`;
  return ['env', path, process.execPath, 'run', '--silent', '--cwd', root, `start:${runtime}`];
};

const root = join(import.meta.dir, '../..');

test.each(runtimeNames)('on %s, the host of a service may have brackets, and cannot be *', async (runtime) => {
  const program = commandOf(`${runtime} source`);
  await using demo = await startDemo({ program, env: { HOST: '[::1]' } });
  expect(demo.url).toBe(`http://[::1]:${demo.port}`);
  expect((await fetch(`${demo.url}/readyz`)).status).toBe(200);
  for (const address of ['::1', '[::1]'])
    expect(await runProgram(['health', '--port', `${demo.port}`, '--host', address], { program })).toEqual({
      exitCode: 0,
      stdout: 'ok\n',
      stderr: '',
    });
  const refused = await runProgram(['serve', '--demo', '--port', '0'], { program, env: { HOST: '*' } });
  expect(refused).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: `plant-store: HOST must be ${host.words}.\n`,
  });
});

test.each(runtimeNames)(
  'on %s, from the source, a plant is created, sent to a webhook, kept after a kill, and exported',
  async (runtime) => {
    using folder = temporaryFolder();
    using receiver = createReceiver();
    const database = folder.file('plants.sqlite');
    const options: RunOptions = {
      program: commandOf(`${runtime} source`),
      cwd: folder.path,
      env: { WEBHOOK_ALLOW_PRIVATE: 'true' },
    };
    const token = await giveToken(database);
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const plant = '{"id":9223372036854775807,"name":"Größe"}';

    const first = await startServer(database, options);
    const send = (path: string, body: string) => fetch(first.url + path, { method: 'POST', headers, body });
    expect((await send('/webhooks', JSON.stringify({ url: receiver.url }))).status).toBe(201);
    expect((await send('/plants', plant)).status).toBe(200);
    const [message] = await receiver.got(1);
    expect(message?.body).toContain('"id":9223372036854775807');
    first.kill('SIGKILL');
    await first.exited;

    await using second = await startServer(database, options);
    const kept = await fetch(`${second.url}/plants/9223372036854775807`, { headers });
    expect(await kept.text()).toStartWith(plant.slice(0, -1));
    const noProxyThere = `http://127.0.0.1:${await freePort()}`;
    const proxy = { HTTP_PROXY: noProxyThere, http_proxy: noProxyThere, NODE_USE_ENV_PROXY: '1' };
    const healthy = await runProgram(['health'], {
      program: starting(runtime),
      env: { PORT: `${second.port}`, ...proxy },
    });
    expect(healthy).toEqual({ exitCode: 0, stdout: 'ok\n', stderr: '' });
    second.kill('SIGTERM');
    expect(await second.exited).toBe(0);
    expect(second.log.filter(({ level }) => level !== 'info')).toEqual([]);

    const { stdout } = await runProgram(['export', '-', '--database', database], options);
    expect(stdout).toStartWith(plant.slice(0, -1));
  },
);

test.each(runtimeNames)('on %s, from the source, the pages have their files', async (runtime) => {
  await using demo = await startDemo({ program: commandOf(`${runtime} source`) });
  await expectPages(demo.url);
});

test.each(runtimeNames)('on %s, from the source, a page can read every error of a demo', async (runtime) => {
  await using demo = await startDemo({ program: commandOf(`${runtime} source`) });
  const origin = 'http://localhost:5173';
  const send = (method: string, path: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(demo.url + path, { method, headers: { authorization: `Bearer ${demoToken}`, origin, ...headers } });
  for (const [method, path, status, headers] of [
    ['GET', '/plants/9', 404],
    ['DELETE', '/plants/1', 412, { 'if-match': '"x"' }],
    ['GET', '/plants?after=x', 400],
    ['GET', '/events?after=x', 400],
    ['GET', '/webhooks/x', 404],
    ['GET', '/webhooks/x/deliveries', 404],
    ['POST', '/webhooks/x/test', 404],
    ['GET', '/plants', 503, { prefer: 'code=503' }],
    ['GET', '/plants', 400, { prefer: 'code=999' }],
    ['GET', '/plants', 401, { authorization: '' }],
    ['GET', '/nope', 404],
  ] as const) {
    const response = await send(method, path, headers);
    expect([path, response.status]).toEqual([path, status]);
    expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, origin]);
  }
});

test.each(runtimeNames)('on %s, a byte that is not UTF-8 in a query or a path is refused', async (runtime) => {
  await using demo = await startDemo({ program: commandOf(`${runtime} source`) });
  const send = async (target: string): Promise<string> => {
    const head = `GET ${target} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${demoToken}\r\n\r\n`;
    return (await sendRaw(demo.port, [Buffer.from(head, 'latin1')])).text;
  };
  for (const target of [
    '/plants?tag=\xff',
    '/plants?name=a\xffb&limit=1',
    '/plants?\xff=1',
    '/plants/\xff',
    '/plants/%FF',
  ])
    expect([target, await send(target)]).toEqual([target, expect.stringContaining('HTTP/1.1 400 Bad Request')]);
  for (const target of ['/plants?tag=%FF', ...(runtime === 'bun' ? ['/plants?tag=\xff'] : [])])
    expect(await send(target)).toContain('"error":40002,"message":"The query parameter tag must be');
});

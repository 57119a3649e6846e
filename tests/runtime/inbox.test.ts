/** The inbox of the whole program: of a demo on each runtime and as a binary, in development, and not of a normal service. */
import { expect, test } from 'bun:test';
import { generateSecret, sign } from '../../src/base/signature.ts';
import type { Change } from '../../src/demo/inbox/messages.ts';
import { pagesMax } from '../../src/demo/inbox/stream.ts';
import { demoToken } from '../../src/tokens/sample.ts';
import { descriptors, peakMemoryMebibytes } from '../faults/support/usage.ts';
import { temporaryFolder } from '../support/folder.ts';
import { message, open } from '../support/network/connection.ts';
import { giveToken } from '../support/network/served.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { printingModules, stopForModules } from '../support/programs/loaded-modules.ts';
import { inDevelopment, type RunningServer, startDemo, startServer } from '../support/programs/process.ts';
import { commandOf, programNames } from '../support/programs/programs.ts';
import { runtimeNames } from '../support/programs/runtimes.ts';
import { openRawStream } from '../support/streams/raw-stream.ts';
import { until } from '../support/until.ts';

/** The messages that the inbox has received, in order. */
const follow = async ({ port }: RunningServer) => {
  const decoder = new TextDecoder();
  let text = '';
  const stream = await openRawStream({
    port,
    path: '/inbox',
    headers: { accept: 'text/event-stream' },
    onBody: (bytes) => {
      text += decoder.decode(bytes, { stream: true });
    },
  });
  const messages = () =>
    text
      .split('\n\n')
      .slice(0, -1)
      .filter((block) => block.startsWith('data: '))
      .flatMap((block) => (JSON.parse(block.slice('data: '.length)) as Change).messages);
  return { messages, close: () => stream.close() };
};

const send = ({ url }: RunningServer, path: string, body: object, token = demoToken) =>
  fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** Adds a webhook to the inbox, creates a plant, and returns the message that arrives. */
const receive = async (server: RunningServer, token?: string) => {
  const url = `${server.url}/inbox/plants`;
  const created = await send(server, '/webhooks', { url }, token);
  expect(created.status).toBe(201);
  const { id }: { id: string } = JSON.parse(await created.text());
  const inbox = await follow(server);
  expect((await send(server, '/plants', { id: 77, name: 'Größe \u202e<b>' }, token)).status).toBe(200);
  await until(() => inbox.messages().length > 0);
  inbox.close();
  const [first] = inbox.messages();
  expect(first).toMatchObject({ name: 'plants', verdict: { webhookId: id }, answer: '204' });
  expect(JSON.parse(`${first?.body}`)).toMatchObject({ type: 'plant.created', id: 77, name: 'Größe \u202e<b>' });
  return id;
};

test.each(programNames)('a demo sends to its inbox and stops in time, as %s', async (name) => {
  await using demo = await startDemo({ program: commandOf(name) });
  await receive(demo);
  // A page that is closed makes room for another one.
  for (let count = 0; count <= pagesMax; count += 1) (await follow(demo)).close();
  const open = await follow(demo);
  demo.kill('SIGTERM');
  expectPace('the stop', await idleMs(demo.exited), 3000);
  expect(await demo.exited).toBe(0);
  open.close();
  expect(demo.log.filter(({ level }) => level !== 'info')).toEqual([]);
});

test.concurrent.each(runtimeNames)(
  'pages that read nothing are closed, and share the messages, on %s',
  async (runtime) => {
    /** The most memory of a demo with many messages, while clients send a request and read nothing, until it has closed their connections. */
    const peakMebibytes = async (path: string): Promise<number> => {
      await using demo = await startDemo({ program: commandOf(`${runtime} package`) });
      const fill = async (): Promise<void> => {
        // More than the system buffers for a page: as JSON, each has 360 KB.
        for (let count = 0; count < 40; count += 1)
          await fetch(`${demo.url}/inbox/plants`, { method: 'POST', body: '\u0001'.repeat(60_000) });
      };
      await fill();
      const before = descriptors(demo.pid);
      const clients = await Promise.all(Array.from({ length: pagesMax }, () => open(demo.port)));
      for (const { socket } of clients) socket.pause().write(message('GET', path, 'Accept: text/event-stream'));
      await until(() => descriptors(demo.pid) >= before + clients.length);
      await fill();
      await until(() => descriptors(demo.pid) < before + 10);
      for (const { socket } of clients) socket.destroy();
      return peakMemoryMebibytes(demo.pid);
    };
    const [idle = 0, stalled = 0] = await Promise.all(['/healthz', '/inbox'].map(peakMebibytes));
    // It is 10 to 160 more, and with its own copy for each page it would be 200 beyond that.
    expect(stalled - idle).toBeLessThan(200);
  },
);

test('webhooks to the inbox are allowed where no other private address is, and lead nowhere else', async () => {
  await using demo = await startDemo({ env: { WEBHOOK_ALLOW_PRIVATE: 'false' } });
  const { url, port } = demo;
  for (const target of [
    'http://127.0.0.1:1/inbox/plants',
    `${url}/plants`,
    `${url}/inbox`,
    `${url}/inbox/../plants`,
    `${url}/inbox/a?b`,
    `http://127.1:${port}/inbox/plants`,
    `http://127.0.0.2:${port}/inbox/plants`,
  ])
    expect([target, (await send(demo, '/webhooks', { url: target })).status]).toEqual([target, 400]);
  await receive(demo);
});

test('a demo that other sites may call still sends to its inbox, and they cannot read it', async () => {
  await using demo = await startDemo({ env: { CORS_ORIGINS: '*' } });
  await receive(demo);
  const headers = { accept: 'text/event-stream', origin: 'https://garden.example' };
  expect((await fetch(`${demo.url}/inbox`, { headers })).status).toBe(400);
});

test('in development, the inbox gets messages, and the page and the start of the service name it', async () => {
  using folder = temporaryFolder();
  await using server = await startServer(folder.file('p.sqlite'), inDevelopment);
  await until(() => server.stdout().includes('/inbox') || server.log.some(({ msg }) => `${msg}`.includes('/inbox')));
  const token = (await Bun.file(folder.file('development.token')).text()).trim();
  await receive(server, token);
  expect(await (await fetch(`${server.url}/`)).text()).toContain('/inbox');
  expect(await (await fetch(`${server.url}/swagger`)).text()).toContain('href="inbox"');
  const page = await (await fetch(`${server.url}/inbox`)).text();
  expect(page).toContain(folder.file('development.token'));
  expect(page).not.toContain(token);
});

test('a service in development that other machines reach has no inbox', async () => {
  using folder = temporaryFolder();
  const env = { ...inDevelopment.env, HOST: '0.0.0.0' };
  await using server = await startServer(folder.file('p.sqlite'), { ...inDevelopment, env });
  expect((await fetch(`http://127.0.0.1:${server.port}/inbox`)).status).toBe(401);
});

test('a normal service has no inbox, loads nothing of it, and refuses its URL as a target', async () => {
  using folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  const token = await giveToken(database);
  await using server = await startServer(database, { program: printingModules });
  const signature = {
    'webhook-id': 'a',
    'webhook-timestamp': '1',
    'webhook-signature': sign([generateSecret()], { id: 'a', timestamp: 1, body: '' }),
  };
  for (const [method, path] of [
    ['GET', '/inbox'],
    ['POST', '/inbox/plants'],
    ['PUT', '/inbox/plants?answer=500'],
    ['GET', '/inbox-assets/inbox.js'],
  ] as const)
    expect([path, (await fetch(server.url + path, { method, headers: signature })).status]).toEqual([path, 401]);
  expect((await send(server, '/webhooks', { url: `${server.url}/inbox/plants` }, token)).status).toBe(400);
  for (const path of ['/', '/swagger']) expect(await (await fetch(server.url + path)).text()).not.toContain('inbox');
  expect((await stopForModules(server)).filter((path) => /demo\/inbox\/|standardwebhooks/.test(path))).toEqual([]);
});

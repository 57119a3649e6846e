/** What a page of another site can do with a demo that runs on the machine of its reader. The tokens of a demo are public. */
import { expect, test } from 'bun:test';
import { createInboxAddress } from '../../src/base/inbox-address.ts';
import { createInbox } from '../../src/demo/inbox/inbox.ts';
import { asJson, createTestApp, errorOf, jsonOf } from '../support/app/app.ts';
import { startTestDemo } from '../support/app/demo.ts';
import { openTestStore } from '../support/store/engines.ts';
import { asStream } from '../support/streams/event-stream.ts';

const foreign = 'https://garden.example';
const target = JSON.stringify({ url: 'http://127.0.0.1:1/' });
const preflight = {
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

test.each([foreign, 'null'])(
  'a page of the origin %s gets no preflight, and cannot read a response',
  async (origin) => {
    await using demo = await startTestDemo();
    // A preflight has no token.
    const headers = { ...preflight, origin, authorization: '' };
    expect((await demo.send('OPTIONS', '/webhooks', { headers })).status).toBe(401);
    for (const path of ['/plants', '/healthz', '/openapi.json', '/swagger']) {
      const response = await demo.send('GET', path, { headers: { origin } });
      expect([path, response.headers.get('access-control-allow-origin')]).toEqual([path, null]);
    }
  },
);

test('a request that needs no preflight cannot create a webhook or reset the demo', async () => {
  await using demo = await startTestDemo();
  // What a form, or fetch with the mode no-cors, can send.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const headers = { origin: foreign, authorization: '', 'content-type': type };
    for (const path of ['/webhooks', '/__demo/reset'])
      expect(await errorOf(await demo.send('POST', path, { headers, body: target }))).toBe(40100);
  }
});

test('a page whose name resolves to this machine gets 400, whatever it requests', async () => {
  await using demo = await startTestDemo();
  for (const host of [
    'garden.example:3000',
    'localhost.garden.example',
    '192.168.0.1:3000',
    '0.0.0.0:3000',
    '[fd00::1]',
  ]) {
    for (const [method, path] of [
      ['POST', '/webhooks'],
      ['GET', '/swagger'],
      ['GET', '/nope'],
      ['OPTIONS', '/plants'],
    ] as const) {
      const body = method === 'POST' ? { body: target } : {};
      const response = await demo.sendUnchecked(method, path, { headers: { ...asJson, host }, ...body });
      expect([host, await jsonOf(response)]).toEqual([
        host,
        { error: 40002, message: 'The header Host must be localhost or a loopback address.' },
      ]);
    }
  }
  expect(await jsonOf(await demo.send('GET', '/webhooks'))).toHaveLength(1);
});

test('a page from this machine can create a webhook to it', async () => {
  await using demo = await startTestDemo();
  for (const host of [
    'localhost',
    'LOCALHOST:3000',
    '127.0.0.1:3000',
    '127.1.2.3',
    '[::1]:3000',
    '[::1]',
    'localhost.:80',
  ]) {
    const headers = { ...asJson, host, origin: 'http://localhost:5173' };
    const response = await demo.send('POST', '/webhooks', { headers, body: target });
    expect([host, response.status]).toEqual([host, 201]);
    expect(response.headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
  }
});

test('when other sites may call a demo, its webhooks must be public, and its name may be any', async () => {
  await using demo = await startTestDemo({ env: { CORS_ORIGINS: '*' } });
  const headers = { ...asJson, origin: foreign, host: 'garden.example' };
  expect((await demo.send('OPTIONS', '/webhooks', { headers: { ...headers, ...preflight } })).status).toBe(204);
  expect(await errorOf(await demo.send('POST', '/webhooks', { headers, body: target }))).toBe(40001);
  expect((await demo.send('GET', '/plants', { headers })).headers.get('access-control-allow-origin')).toBe('*');
});

/** The requests with which a page would read messages, send one, or change the answers. */
const toInbox = [
  ['GET', '/inbox', asStream],
  ['POST', '/inbox/plants', { 'content-type': 'text/plain' }],
  ['PUT', '/inbox/plants?answer=500', {}],
  ['DELETE', '/inbox/plants', {}],
] as const;

test.each([
  ['of another site', { origin: foreign, 'sec-fetch-site': 'cross-site' }],
  ['of another port of this machine', { origin: 'http://localhost:5173', 'sec-fetch-site': 'same-site' }],
  ['in an old browser', { origin: 'http://localhost:5173' }],
  ['in a frame without an origin', { origin: 'null' }],
  ['that sends no Origin', { 'sec-fetch-site': 'cross-site' }],
])('a page %s can neither read the inbox, nor send to it, nor change its answers', async (_, headers) => {
  await using demo = await startTestDemo();
  for (const [method, path, own] of toInbox) {
    const response = await demo.sendUnchecked(method, path, {
      headers: { ...own, ...headers, host: 'localhost:3000' },
    });
    expect([method, await jsonOf(response)]).toEqual([
      method,
      { error: 40002, message: 'The inbox does not respond to pages of other origins.' },
    ]);
  }
  const page = await demo.sendUnchecked('GET', '/inbox', { headers: asStream });
  const reader = page.body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(
    'data: {"names":[],"kept":[],"messages":[]}\n\n',
  );
  await reader?.cancel();
});

test('the page of the inbox may use it, in new and in old browsers, and behind a proxy', async () => {
  await using demo = await startTestDemo();
  for (const headers of [
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin', host: 'localhost:3000' },
    { origin: 'https://garden.example', 'sec-fetch-site': 'same-origin', host: '127.0.0.1:3000' },
    { origin: 'http://127.0.0.1:3000', host: '127.0.0.1:3000' },
  ])
    expect((await demo.sendUnchecked('PUT', '/inbox/plants?answer=500', { headers })).status).toBe(204);
});

test('a page of the inbox whose name resolves to this machine gets 400, in a demo and in development', async () => {
  await using demo = await startTestDemo();
  const store = await openTestStore();
  const address = createInboxAddress(() => 'http://127.0.0.1:3000');
  const { signal: stopping } = new AbortController();
  const routes = createInbox({ store, address, token: { hint: '' }, requiresLoopbackHost: true, stopping });
  const development = await createTestApp({ store, inbox: { address, routes } });
  const headers = {
    host: 'garden.example:3000',
    origin: 'http://garden.example:3000',
    'sec-fetch-site': 'same-origin',
  };
  for (const [method, path, own] of toInbox) {
    expect(await errorOf(await demo.sendUnchecked(method, path, { headers: { ...own, ...headers } }))).toBe(40002);
    expect(await errorOf(await development.send(method, path, { headers: { ...own, ...headers } }))).toBe(40002);
  }
  await store.close();
});

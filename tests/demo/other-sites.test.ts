/** What a page of another site can do with a demo that runs on the machine of its reader. The tokens of a demo are public. */
import { expect, test } from 'bun:test';
import { asJson, errorOf, jsonOf } from '../support/app/app.ts';
import { startTestDemo } from '../support/app/demo.ts';

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

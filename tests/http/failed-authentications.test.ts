/** The limit of failed authentications, which are counted for each address. */
import { describe, expect, test } from 'bun:test';
import { createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { listen } from '../../src/http/server.ts';
import { createLog } from '../../src/log.ts';
import { generateToken } from '../../src/tokens/token.ts';
import { asJson, createTestApp, errorOf } from '../support/app/app.ts';
import { createLimitedApp, fieldsOf, invalid } from '../support/app/limited-app.ts';
import { openTestStore } from '../support/store/engines.ts';

test('an address that has reached the limit of failed authentications gets 429 instead of 401', async () => {
  const { send, time, peer } = await createLimitedApp('3/3s');
  const unknown = `Bearer ${generateToken()}`;
  expect(await errorOf(await send('GET', '/token', { authorization: null }))).toBe(40100);
  expect(await errorOf(await send('GET', '/nowhere', { authorization: 'Bearer x' }))).toBe(40101);
  expect(await errorOf(await send('GET', '/token', { authorization: unknown }))).toBe(40101);
  for (const authorization of [null, 'Bearer x', unknown]) {
    const response = await send('POST', '/plants', { authorization, headers: asJson, body: 'unread' });
    expect(fieldsOf(response)).toEqual([[['address', { q: 3, w: 3 }]], [['address', { r: 0, t: 1 }]]]);
    expect(response.headers.get('retry-after')).toBe('1');
    expect(response.headers.has('www-authenticate')).toBe(false);
    expect(await errorOf(response)).toBe(42900);
  }
  peer.address = '203.0.113.2';
  expect(await errorOf(await send('GET', '/token', invalid))).toBe(40101);
  peer.address = '203.0.113.1';
  time.nowMs += 1000;
  expect(await errorOf(await send('GET', '/token', invalid))).toBe(40101);
  expect(await errorOf(await send('GET', '/token', invalid))).toBe(42900);
});

test('a 401 response does not show how often other clients at the same address have failed', async () => {
  const { send } = await createLimitedApp('3/3s');
  expect(fieldsOf(await send('GET', '/token', invalid))).toEqual([[], []]);
});

test('an address that has reached its limit can use a valid token, and not a revoked one', async () => {
  const { send, token, store } = await createLimitedApp('2/1h');
  for (let count = 0; count < 10; count += 1) await send('GET', '/token', invalid);
  const [record] = await store.tokens.list();
  expect((await send('GET', '/token', { authorization: `Bearer ${token}` })).status).toBe(200);
  await store.tokens.revoke(record?.id ?? '');
  expect((await send('GET', '/token', { authorization: `Bearer ${token}` })).status).toBe(429);
});

test('a valid token does not count towards the limit of its address', async () => {
  const { send } = await createLimitedApp('2/1h');
  expect((await send('GET', '/token')).status).toBe(200);
  expect((await send('GET', '/token')).status).toBe(200);
  expect((await send('GET', '/token', invalid)).status).toBe(401);
  expect((await send('GET', '/token', invalid)).status).toBe(401);
  expect((await send('GET', '/token', invalid)).status).toBe(429);
});

test('a failure of the store is not a failed authentication', async () => {
  const store = await openTestStore();
  const tokens = { ...store.tokens, findByDigest: () => Promise.reject(new Error('broken')) };
  const app = await createTestApp({
    store: { ...store, tokens },
    config: readConfig({}, { RATE_LIMIT: '1/1h' }),
  });
  expect((await app.send('GET', '/token')).status).toBe(500);
  expect((await app.send('GET', '/token')).status).toBe(500);
  expect((await app.send('GET', '/token', invalid)).status).toBe(401);
});

describe('over a real socket', () => {
  /** Returns the statuses of requests without a token and with these `X-Forwarded-For`. The limit is one failure per day. */
  const statusesOf = async (settings: Record<string, string>, host: string, forwarded: (string | undefined)[]) => {
    const log = createLog('silent');
    const config = readConfig({}, { RATE_LIMIT: '1/1d', ...settings });
    const store = await openTestStore();
    const server = await listen({ host, port: 0, log, fetch: (request) => app.fetch(request) });
    const app = createApp({ store, config, log, peerOf: server.peerOf });
    const { port } = new URL(server.url);
    const statuses: number[] = [];
    for (const header of forwarded) {
      const headers: Record<string, string> = header === undefined ? {} : { 'x-forwarded-for': header };
      statuses.push((await fetch(`http://127.0.0.1:${port}/token`, { headers })).status);
    }
    await server.stop({ graceMs: 0 });
    return statuses;
  };

  test.each([
    ['with no trusted proxy', {}, '127.0.0.1'],
    ['with another trusted proxy', { TRUSTED_PROXIES: '10.0.0.0/8' }, '127.0.0.1'],
  ])('%s, X-Forwarded-For is ignored and failures count for the peer', async (_what, settings, host) => {
    const forwarded = [undefined, '198.51.100.1', '198.51.100.2', '127.0.0.1', '10.0.0.1'];
    expect(await statusesOf(settings, host, forwarded)).toEqual([401, 429, 429, 429, 429]);
  });

  test.each([
    ['of IPv4', '127.0.0.1, 127.0.0.2', '127.0.0.1'],
    ['of IPv4 on a socket of IPv6', '127.0.0.0/8', '::'],
  ])(
    'behind a trusted proxy %s, failures count for the client that the proxy adds to X-Forwarded-For',
    async (_what, proxies, host) => {
      const forwarded = [
        '198.51.100.1',
        '198.51.100.1',
        '198.51.100.2',
        '198.51.100.9, 198.51.100.1',
        '198.51.100.3, 127.0.0.1',
        '198.51.100.9, 198.51.100.3, 127.0.0.1, 127.0.0.2',
      ];
      const statuses = await statusesOf({ TRUSTED_PROXIES: proxies }, host, forwarded);
      expect(statuses).toEqual([401, 429, 401, 429, 401, 429]);
    },
  );

  test('behind a trusted proxy, failures with an invalid address count for the proxy', async () => {
    const forwarded = [undefined, 'unknown', '198.51.100.1, unknown', '198.51.100.1:80', '198.51.100.1'];
    const statuses = await statusesOf({ TRUSTED_PROXIES: '127.0.0.1' }, '127.0.0.1', forwarded);
    expect(statuses).toEqual([401, 429, 429, 429, 401]);
  });
});

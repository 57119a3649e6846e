/** The limit of the requests with each token. */
import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { readConfig } from '../../src/config/config.ts';
import { asJson, createTestApp, errorOf, giveToken, type SendOptions, untouchable } from '../support/app/app.ts';
import { createLimitedApp, fieldsOf, invalid } from '../support/app/limited-app.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/programs/command.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';

afterEach(() => {
  setSystemTime();
});

test('a token allows a burst of requests up to the limit, and then one request per window / limit', async () => {
  const { send, time } = await createLimitedApp('4/10s');
  const statuses = async (count: number): Promise<number[]> =>
    Promise.all(Array.from({ length: count }, async () => (await send('GET', '/token')).status));
  expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
  time.nowMs += 2498.9;
  expect(await statuses(1)).toEqual([429]);
  time.nowMs += 0.3;
  expect(await statuses(2)).toEqual([200, 429]);
  time.nowMs += 10_000;
  expect(await statuses(5)).toEqual([200, 200, 200, 200, 429]);
});

test('every response to a request with a valid token has the limit and the number of remaining requests', async () => {
  const { send, time, token } = await createLimitedApp('4/10s');
  const policy = [['token', { q: 4, w: 10 }]];
  const invalidToken = `Bearer ${token.toLowerCase()}`;
  for (const [request, status, left] of [
    [['GET', '/token'], 200, { r: 3, t: 8 }],
    [['OPTIONS', '/plants'], 204, { r: 2, t: 5 }],
    [['GET', '/nowhere'], 404, { r: 1, t: 3 }],
    [['POST', '/plants'], 415, { r: 0, t: 3 }],
    [['GET', '/token'], 429, { r: 0, t: 3 }],
  ] as const) {
    const [method, path] = request;
    const response = await send(method, path);
    expect([response.status, ...fieldsOf(response)]).toEqual([status, policy, [['token', left]]]);
  }
  expect(fieldsOf(await send('GET', '/token', { authorization: invalidToken }))).toEqual([[], []]);
  time.nowMs += 2400;
  const refused = await send('GET', '/token');
  expect(fieldsOf(refused)).toEqual([policy, [['token', { r: 0, t: 1 }]]]);
  expect(refused.headers.get('retry-after')).toBe('1');
});

test('a request after the seconds of Retry-After is accepted', async () => {
  for (const rate of ['1/1s', '3/7s', '100/1h', '1/1d']) {
    const { send, time } = await createLimitedApp(rate);
    let response = await send('GET', '/token');
    for (let count = 0; count < 100 && response.status === 200; count += 1) response = await send('GET', '/token');
    const seconds = Number(response.headers.get('retry-after'));
    expect(await errorOf(response)).toBe(42900);
    expect(seconds).toBeGreaterThanOrEqual(1);
    time.nowMs += seconds * 1000;
    expect((await send('GET', '/token')).status).toBe(200);
  }
});

test('each token has its own limit', async () => {
  const { send, store } = await createLimitedApp('1/1s');
  const other = { authorization: `Bearer ${await giveToken(store)}` };
  expect((await send('GET', '/token')).status).toBe(200);
  expect((await send('GET', '/token')).status).toBe(429);
  expect((await send('GET', '/token', other)).status).toBe(200);
  expect((await send('GET', '/token', other)).status).toBe(429);
});

test('the limit is checked after the token, and before the path, the method, the scope and the body', async () => {
  const { send, store } = await createLimitedApp('1/1s');
  const authorization = `Bearer ${await giveToken(store, { scopes: [] })}`;
  expect((await send('GET', '/token', { authorization })).status).toBe(200);
  const requests: [string, string, SendOptions][] = [
    ['GET', '/nowhere', {}],
    ['PUT', '/plants', {}],
    ['OPTIONS', '/plants', {}],
    ['GET', '/plants', {}],
    ['GET', '/plants/01', {}],
    ['POST', '/plants', { headers: asJson, body: untouchable() }],
    ['POST', '/plants', { headers: { ...asJson, 'content-length': '70000' }, body: untouchable() }],
  ];
  for (const [method, path, options] of requests)
    expect(await errorOf(await send(method, path, { ...options, authorization }))).toBe(42900);
  expect(await errorOf(await send('GET', '/nowhere', { authorization: `${authorization} x` }))).toBe(40101);
});

test('changes of the system clock do not change the limit', async () => {
  const app = await createTestApp({ config: readConfig({}, { RATE_LIMIT: '1/1h' }) });
  const startMs = Date.now();
  expect((await app.send('GET', '/token')).status).toBe(200);
  for (const jumpMs of [2 * 3_600_000, -2 * 3_600_000, 365 * 86_400_000, -365 * 86_400_000]) {
    setSystemTime(new Date(startMs + jumpMs));
    const response = await app.send('GET', '/token');
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '3600']);
  }
});

test('public paths are not limited, with or without a token', async () => {
  const { send, token } = await createLimitedApp('1/1s');
  for (const authorization of [null, 'Bearer x', `Bearer ${token}`]) {
    for (const path of ['/healthz', '/readyz', '/openapi.json', '/swagger', '/healthz']) {
      const response = await send('GET', path, { authorization });
      expect([response.status, response.headers.has('ratelimit')]).toEqual([200, false]);
    }
  }
  expect((await send('GET', '/token')).status).toBe(200);
});

test('without RATE_LIMIT there is no limit, and no response has its fields', async () => {
  const { send } = await createTestApp();
  for (let count = 0; count < 200; count += 1) {
    expect(fieldsOf(await send('GET', '/token'))).toEqual([[], []]);
    expect((await send('GET', '/token', invalid)).status).toBe(401);
  }
});

test('a page from another origin may read the fields of the limit', async () => {
  const { send } = await createLimitedApp('1/1s', { CORS_ORIGINS: '*' });
  const response = await send('GET', '/token', { headers: { origin: 'https://garden.example' } });
  const exposed = response.headers.get('access-control-expose-headers')?.split(', ');
  expect(exposed).toEqual(expect.arrayContaining(['RateLimit', 'RateLimit-Policy', 'Retry-After']));
});

test('each process of serve has its own limits, and identifies clients behind a trusted proxy', async () => {
  using folder = temporaryFolder();
  const database = folder.file('plants.sqlite');
  const { stdout } = await runCommand(['token', 'create', '--name', 'n', '--database', database]);
  const env = { RATE_LIMIT: '1/1h', TRUSTED_PROXIES: '127.0.0.1' };
  await using first = await startServer(database, { env });
  await using second = await startServer(database, { env });
  const statusOf = async ({ url }: RunningServer, headers: Record<string, string>): Promise<number> =>
    (await fetch(`${url}/token`, { headers })).status;

  const ofToken: number[] = [];
  for (const server of [first, second, first, second])
    ofToken.push(await statusOf(server, { authorization: `Bearer ${stdout.trim()}` }));
  expect(ofToken).toEqual([200, 200, 429, 429]);

  const ofClients: number[] = [];
  for (const client of ['198.51.100.1', '198.51.100.1', '198.51.100.2'])
    ofClients.push(await statusOf(first, { 'x-forwarded-for': client }));
  expect(ofClients).toEqual([401, 429, 401]);
});

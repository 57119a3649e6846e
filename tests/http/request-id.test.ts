/** Each response has the id of its request, and so does the line in the log. */
import { describe, expect, test } from 'bun:test';
import { createApp } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createLog, type Log } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { createTestApp, giveToken } from '../support/app/app.ts';
import { openTestStore } from '../support/store/engines.ts';

const idOf = (response: Response): string => response.headers.get('x-request-id') ?? '';

test.each([
  ['GET', '/plants', 200],
  ['GET', '/plants/1', 404],
  ['GET', '/nowhere', 404],
  ['PUT', '/plants', 405],
  ['OPTIONS', '/plants', 204],
  ['HEAD', '/plants', 200],
  ['GET', '/', 200],
  ['GET', '/healthz', 200],
  ['GET', '/readyz', 200],
  ['GET', '/openapi.json', 200],
  ['GET', '/swagger', 200],
])('the response to %s %s has the id of its request', async (method, path, status) => {
  const app = await createTestApp();
  const chosen = await app.send(method, path, { headers: { 'x-request-id': 'a-B_9.z' } });
  expect([chosen.status, idOf(chosen)]).toEqual([status, 'a-B_9.z']);
  const [first, second] = [await app.send(method, path), await app.send(method, path)];
  expect(idOf(first)).toMatch(/^[0-9a-f-]{36}$/);
  expect(idOf(second)).not.toBe(idOf(first));
});

test('the response to a refused request has the id of its request', async () => {
  const { send } = await createTestApp();
  const headers = { 'x-request-id': 'r' };
  expect(idOf(await send('POST', '/plants', { authorization: null, headers }))).toBe('r');
  expect(idOf(await send('GET', '/plants', { headers: { ...headers, host: 'a b' } }))).toBe('r');
});

test('a request id of up to 64 permitted characters is used, and any other id is replaced', async () => {
  const { send } = await createTestApp();
  const longest = 'x'.repeat(64);
  expect(idOf(await send('GET', '/token', { headers: { 'x-request-id': longest } }))).toBe(longest);
  for (const id of ['', `${longest}x`, 'a b', 'a,b', 'a"b', 'ä', 'a/b', '{}'])
    expect(idOf(await send('GET', '/token', { headers: { 'x-request-id': id } }))).toMatch(/^[0-9a-f-]{36}$/);
});

describe('the line in the log', () => {
  const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';

  /** An app, with the log lines of its requests and of its failures. */
  const createLoggedApp = async (change: (store: Store) => Store = (store) => store) => {
    const lines: object[] = [];
    const failures: object[] = [];
    const silent = createLog('silent');
    const log: Log = Object.assign(Object.create(silent), {
      request: (line: object) => lines.push(line),
      error: (line: object) => failures.push(line),
    });
    const store = await openTestStore();
    const app = createApp({ store: change(store), config: readConfig({}, {}), log });
    const authorization = `Bearer ${await giveToken(store)}`;
    const send = (headers: Record<string, string>) =>
      app.fetch(new Request('http://localhost/token', { headers: { authorization, ...headers } }));
    return { lines, failures, send };
  };

  test('the log line of a request has the id of its response and the id of its trace', async () => {
    const { lines, send } = await createLoggedApp();
    const response = await send({ traceparent: `00-${traceId}-00f067aa0ba902b7-01` });
    expect(lines).toMatchObject([{ requestId: idOf(response), traceId, route: '/token', status: 200 }]);
  });

  test('the log line of a request has no trace if the header is invalid', async () => {
    const { lines, send } = await createLoggedApp();
    await send({ traceparent: `00-${traceId}-${'0'.repeat(16)}-01`, 'x-request-id': 'r' });
    expect(lines).toMatchObject([{ requestId: 'r' }]);
    expect(lines[0]).toHaveProperty('traceId', undefined);
  });

  test('the log line of a failure has the request id from the client', async () => {
    const { failures, send } = await createLoggedApp((store) => ({
      ...store,
      tokens: { ...store.tokens, findByDigest: () => Promise.reject(new Error('broken')) },
    }));
    expect((await send({ 'x-request-id': 'r' })).status).toBe(500);
    expect(failures).toMatchObject([{ requestId: 'r' }]);
  });
});

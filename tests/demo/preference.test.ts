/** `Prefer: code=503` in the demo. Each response is also validated against the document. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readPreferences } from '../../src/demo/preference.ts';
import { fileOfMonstera } from '../../src/pictures/sample.ts';
import { readerToken } from '../../src/tokens/sample.ts';
import { asJson, createTestApp, errorOf } from '../support/app/app.ts';
import { startTestDemo, type TestDemo } from '../support/app/demo.ts';
import {
  type DocumentedResponse,
  documentedResponses,
  isShown,
  requestOf,
  responsesBeyondLimit,
} from '../support/document/documented-response.ts';
import { asStream } from '../support/streams/event-stream.ts';

let demo: TestDemo;
/** The limit is not reached. */
let limited: TestDemo;
beforeAll(async () => {
  demo = await startTestDemo();
  limited = await startTestDemo({ env: { RATE_LIMIT: '10000/1s' } });
});
afterAll(async () => {
  await demo[Symbol.asyncDispose]();
  await limited[Symbol.asyncDispose]();
});

const send = (prefer: string, method = 'GET', path = '/plants', headers = {}, body?: string): Promise<Response> =>
  demo.sendUnchecked(method, path, { headers: { prefer, ...headers }, ...(body !== undefined && { body }) });

const keyOf = ({ operation, status }: DocumentedResponse): string => `${operation.operationId} ${status}`;
/** One for each example, and media type of the request. */
const rows = documentedResponses.filter(isShown).filter(({ name }) => name !== 'live');
/** The first example of each status. */
const firsts = rows.filter((row, index) => rows.findIndex((other) => keyOf(other) === keyOf(row)) === index);

/** Sends the request of the operation that succeeds, with a preference. */
const sendFor = (documented: DocumentedResponse, prefer: string, { send } = demo): Promise<Response> => {
  const [method, path, { headers, ...rest }] = requestOf({ ...documented, name: '' });
  return send(method, path, { ...rest, headers: { ...headers, prefer } });
};

/** Everything that a request can change. */
const state = async (): Promise<readonly string[]> => {
  const webhooks = await demo.send('GET', '/webhooks');
  const [{ id }] = JSON.parse(await webhooks.clone().text());
  const others = ['/plants', '/events', `/webhooks/${id}/deliveries`].map((path) => demo.send('GET', path));
  return Promise.all([webhooks, ...(await Promise.all(others))].map((response) => response.text()));
};

test.each(firsts.map((documented) => [keyOf(documented), documented] as const))(
  'the demo returns the first documented example of a preferred status, and changes nothing: %s',
  async (_key, documented) => {
    const before = await state();
    const response = await sendFor(documented, `code=${documented.status}`);
    expect(response.status).toBe(documented.status);
    expect(response.headers.get('preference-applied')).toBe(`code=${documented.status}`);
    expect(response.headers.get('vary')).toEndWith('Prefer, Origin');
    const isPicture = response.headers.get('content-type')?.startsWith('image/');
    const example = isPicture ? fileOfMonstera.content.toString() : documented.example;
    expect(await response.text()).toBe(typeof example === 'string' ? example : (JSON.stringify(example) ?? ''));
    expect(await state()).toEqual([...before]);
  },
);

const errors = rows.filter(({ status }) => status >= 400);

test.each(
  errors.map(
    (documented) =>
      [`${keyOf(documented)} ${documented.name} ${documented.contentType ?? ''}`.trim(), documented] as const,
  ),
)('the demo returns the documented example of an error that the preference names: %s', async (_key, documented) => {
  const preference = `code=${documented.status}, example=${documented.name}`;
  const response = await sendFor(documented, preference);
  expect([response.status, response.headers.get('preference-applied')]).toEqual([documented.status, preference]);
  expect(await response.text()).toBe(JSON.stringify(documented.example));
});

test('the demo returns every documented status, 500, 503 and 410 too', () => {
  expect(firsts.length).toBeGreaterThan(100);
  expect(errors.length).toBeGreaterThan(150);
  const statuses = new Set(firsts.map(({ status }) => status));
  expect([...statuses].sort()).toEqual([
    200, 201, 202, 204, 206, 304, 400, 401, 403, 404, 409, 410, 412, 413, 415, 416, 500, 503,
  ]);
});

test('a demo with a rate limit also returns 429, which the document of another demo does not have', async () => {
  const shown = responsesBeyondLimit.filter(isShown);
  expect(shown.length).toBeGreaterThan(15);
  for (const documented of shown) {
    const preference = `code=429, example=${documented.name}`;
    const response = await sendFor(documented, preference, limited);
    expect([response.status, response.headers.get('preference-applied')]).toEqual([429, preference]);
    expect(await response.json()).toEqual(documented.example);
    const refused = await sendFor(documented, preference);
    expect([refused.status, await errorOf(refused)]).toEqual([400, 40002]);
  }
});

test('the response to HEAD has the preferred status, and no body', async () => {
  const response = await send('code=503', 'HEAD');
  expect([response.status, response.headers.get('retry-after'), await response.text()]).toEqual([503, '1', '']);
});

test('the headers of a preferred success are those of the real response', async () => {
  for (const [method, path, body, ...names] of [
    ['GET', '/plants/1', undefined, 'etag', 'content-type'],
    ['POST', '/plants', '{"id":1,"name":"Monstera","tag":"tropical"}', 'etag', 'location', 'content-type'],
    ['PATCH', '/plants/1', '{"name":"Monstera deliciosa"}', 'etag', 'content-type'],
    ['GET', '/events', undefined, 'cache-control', 'content-type'],
  ] as const) {
    const headersOf = ({ headers }: Response) => names.map((name) => headers.get(name));
    const preferred = await send('code=200', method, path, asJson, body);
    expect(headersOf(preferred)).toEqual(
      headersOf(await demo.send(method, path, { headers: asJson, ...(body !== undefined && { body }) })),
    );
  }
  await demo.reset();
});

test('a stream that is preferred has the documented events, and ends', async () => {
  const response = await send('code=200', 'GET', '/events', asStream);
  expect([response.headers.get('content-type'), response.headers.get('vary')]).toEqual([
    'text/event-stream',
    'Accept, Prefer, Origin',
  ]);
  const { example } = documentedResponses.find(({ name }) => name === 'live') ?? {};
  expect(await response.text()).toBe(`${example}`);
});

test.each([
  'code=418',
  'code=404',
  'code=413',
  'code=abc',
  'code=',
  'code',
  'code=0200',
  'code=2e2',
  'code="x"',
  'code=__proto__',
])('a preference for a status that the document does not have is refused: %s', async (prefer) => {
  const response = await send(prefer);
  expect([response.status, await errorOf(response)]).toEqual([400, 40002]);
});

test.each(['none', 'outcome_unknown', 'unavailable_2', '', 'constructor'])(
  'a preference for an example that the document does not have is refused: %p',
  async (name) => {
    const response = await send(`code=503, example=${name}`);
    expect([response.status, await errorOf(response)]).toEqual([400, 40002]);
  },
);

test.each([
  'return=minimal',
  'respond-async, wait=10',
  'example=unavailable',
  'return=minimal; code=503',
  'foo="code=503"',
])('other preferences are ignored: %s', async (prefer) => {
  const response = await send(prefer);
  expect([response.status, response.headers.has('preference-applied')]).toEqual([200, false]);
});

test.each([
  ['without a token', 401, 40100, 'GET', '/plants', { authorization: '' }],
  ['with an unknown path', 404, 40401, 'GET', '/nowhere', {}],
  ['with an unsupported method', 405, 40500, 'PUT', '/plants', {}],
  ['without the scope', 403, 40300, 'GET', '/webhooks', { authorization: `Bearer ${readerToken}` }],
  ['with an invalid path', 400, 40003, 'GET', '/plants/x', {}],
  ['with an invalid query', 400, 40002, 'GET', '/plants?limit=0', {}],
  ['with another media type', 415, 41500, 'POST', '/plants', { 'content-type': 'text/plain' }],
  ['with an invalid body', 400, 40001, 'POST', '/plants', asJson],
])('a request %s gets its own error, whatever it prefers', async (_what, status, error, method, path, headers) => {
  const response = await send('code=500', method, path, headers, method === 'POST' ? '{}' : undefined);
  expect([response.status, await errorOf(response)]).toEqual([status, error]);
});

test('the reset, the document and the probes have no preference', async () => {
  for (const [method, path, status] of [
    ['POST', '/__demo/reset', 204],
    ['GET', '/openapi.json', 200],
    ['GET', '/healthz', 200],
  ] as const)
    expect((await send('code=503', method, path)).status).toBe(status);
});

test('the demo serves the same documents as a normal service', async () => {
  const app = await createTestApp();
  for (const path of ['/openapi.json', '/openapi.yaml', '/openapi-3.0.json', '/openapi-3.2.json'])
    expect(await (await demo.send('GET', path)).text()).toBe(await (await app.send('GET', path)).text());
});

test('a page from this machine may send a preference to the demo, and read which one was applied', async () => {
  const headers = { origin: 'http://localhost:8080', 'access-control-request-method': 'GET' };
  const preflight = await demo.send('OPTIONS', '/plants', { headers });
  expect(preflight.headers.get('access-control-allow-headers')?.split(', ')).toContain('Prefer');
  const response = await send('code=503', 'GET', '/plants', { origin: 'http://localhost:8080' });
  expect(response.headers.get('access-control-expose-headers')?.split(', ')).toContain('Preference-Applied');
});

test('a normal service ignores every preference', async () => {
  const app = await createTestApp();
  for (const prefer of ['code=503', 'code=418', 'code='])
    for (const [method, path, status] of [
      ['GET', '/plants', 200],
      ['GET', '/plants/1', 404],
      ['POST', '/plants', 200],
      ['DELETE', '/plants/2', 204],
    ] as const) {
      const body = method === 'POST' ? { body: '{"id":2,"name":"n"}' } : {};
      const response = await app.send(method, path, { headers: { ...asJson, prefer }, ...body });
      expect([response.status, response.headers.has('preference-applied')]).toEqual([status, false]);
    }
});

test.each<[header: string, preferences: Record<string, string>]>([
  ['', {}],
  ['code=503', { code: '503' }],
  ['code="503"', { code: '503' }],
  [' Code \t= 503 ', { code: '503' }],
  ['code', { code: '' }],
  ['code=', { code: '' }],
  ['code=""', { code: '' }],
  ['code=abc', { code: 'abc' }],
  ['code=5 3', { code: '5 3' }],
  ['code=503, code=404', { code: '503' }],
  ['code=503; wait=1; foo', { code: '503' }],
  ['code="503"; foo="a, code=404"', { code: '503' }],
  ['respond-async, wait=10, code=503', { 'respond-async': '', wait: '10', code: '503' }],
  ['foo="a, code=404", code=503', { foo: 'a, code=404', code: '503' }],
  ['foo="a \\", code=404", code=503', { foo: 'a ", code=404', code: '503' }],
  ['return=minimal; code=503', { return: 'minimal' }],
  [', ,code=503,', { code: '503' }],
])('the header "Prefer: %s" has the preferences %p', (header, preferences) => {
  expect(Object.fromEntries([...readPreferences(header)].filter(([name]) => name !== ''))).toEqual(preferences);
});

test('a header with many quotes and backslashes is read in linear time', () => {
  for (const piece of ['"', '\\', '"\\', '\\"', 'a"', '=', ' ', ',"', '="'])
    expect(readPreferences(piece.repeat(500_000))).toBeInstanceOf(Map);
});

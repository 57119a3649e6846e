/**
 * Compares the document with the service. The service returns every documented status and every example of an error.
 * The check of each response can fail.
 */
import { Database } from 'bun:sqlite';
import { beforeAll, expect, test } from 'bun:test';
import { readConfig } from '../../src/config.ts';
import { testMessagesPendingMax } from '../../src/domain/delivery.ts';
import { AppError, diskFailed } from '../../src/domain/error.ts';
import { eventIdOf } from '../../src/domain/event.ts';
import { scopes } from '../../src/domain/token.ts';
import { webhooksMax } from '../../src/domain/webhook.ts';
import { streamsMax } from '../../src/http/events/streams.ts';
import { toAppError } from '../../src/store/sqlite/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { asJson, createTestApp, giveToken, jsonOf, type TestApp } from '../support/app.ts';
import { neverLeased } from '../support/attempts.ts';
import { conform, documented } from '../support/conformance.ts';
import { document, operations as documentedOperations, pathOf, resolve } from '../support/document.ts';
import { onBothEngines, openTestStore } from '../support/engines.ts';
import { asStream } from '../support/event-stream.ts';

/** Each operation once. It succeeds on a store that has plant 1 and a webhook with a delivery. */
const operations = [
  ['GET', '/plants'],
  ['POST', '/plants', '{"id":2,"name":"n"}'],
  ['GET', '/plants/1'],
  ['PATCH', '/plants/1', '{"tag":"t"}'],
  ['GET', '/events'],
  ['GET', '/webhooks'],
  ['POST', '/webhooks', '{"url":"https://example.com/"}'],
  ['GET', '/webhooks/{webhook}'],
  ['POST', '/webhooks/{webhook}/rotate'],
  ['POST', '/webhooks/{webhook}/test'],
  ['GET', '/webhooks/{webhook}/deliveries'],
  ['POST', '/webhooks/{webhook}/deliveries/{delivery}/redeliver'],
  ['GET', '/token'],
  ['GET', '/metrics'],
  ['DELETE', '/webhooks/{webhook}'],
  ['DELETE', '/plants/1'],
] as const;

type FailingRequest = readonly [
  method: string,
  path: string,
  body?: string | undefined,
  headers?: Record<string, string>,
];

/** Requests that lead to other statuses. */
const rejections: readonly FailingRequest[] = [
  ['GET', '/plants?limit=0'],
  ['GET', '/plants?after=x'],
  ['GET', '/plants/x'],
  ['GET', '/plants/1', undefined, { 'if-none-match': 'x' }],
  ['GET', '/plants/9'],
  ['POST', '/plants', '{'],
  ['POST', '/plants', '{"id":1,"name":"other"}'],
  ['POST', '/plants', '{"id":3}'],
  ['PATCH', '/plants/1', '{'],
  ['PATCH', '/plants/1', '{"tag":1}'],
  ['PATCH', '/plants/x', '{}'],
  ['PATCH', '/plants/1', '{}', { 'if-match': 'x' }],
  ['PATCH', '/plants/9', '{}'],
  ['PATCH', '/plants/1', '{}', { 'if-match': '"x"' }],
  ['DELETE', '/plants/x'],
  ['DELETE', '/plants/1', undefined, { 'if-match': 'x' }],
  ['DELETE', '/plants/9'],
  ['DELETE', '/plants/1', undefined, { 'if-match': '"x"' }],
  ['GET', '/events?after=x'],
  ['GET', '/events?type=x'],
  ['POST', '/webhooks', '{'],
  ['POST', '/webhooks', '{"url":"x"}'],
  ['GET', '/webhooks/x'],
  ['DELETE', '/webhooks/x'],
  ['POST', '/webhooks/x/rotate'],
  ['POST', '/webhooks/x/test'],
  ['GET', '/webhooks/x/deliveries'],
  ['GET', '/webhooks/{webhook}/deliveries?limit=x'],
  ['GET', '/webhooks/{webhook}/deliveries?after=x'],
  ['POST', '/webhooks/x/deliveries/x/redeliver'],
  ['POST', '/webhooks/{webhook}/deliveries/x/redeliver'],
  ...(['POST /plants', 'PATCH /plants/1', 'POST /webhooks'] as const).flatMap((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    return [
      [method, path, '{}', { 'content-type': 'text/plain' }],
      [method, path, `{"name":"${'x'.repeat(70_000)}"}`],
    ] satisfies FailingRequest[];
  }),
];

const send = ({ send }: TestApp, method: string, path: string, body?: string, options: object = {}) =>
  send(method, path, { headers: asJson, ...(body !== undefined && { body }), ...options });

/** Matches the methods of the store that only read. */
const reading = /^(get|list|read|find)/;

/** Makes an error as the store throws it. */
type Failure = (during: 'read' | 'write') => unknown;

const fail =
  (failure: Failure) =>
  (method: string): Promise<never> =>
    Promise.reject(failure(reading.test(method) ? 'read' : 'write'));

/** The error of SQLite when the disk is full. */
const full = (): unknown => {
  const client = new Database(':memory:');
  client.run('PRAGMA max_page_count = 1');
  try {
    return client.run('CREATE TABLE t (x)');
  } catch (error) {
    return error;
  }
};

const isFull: Failure = (during) => toAppError(full(), during);

/** The error when a disk fails, as in `serve.test.ts`. */
const unknown = new AppError(diskFailed);

const failures: Failure[] = [
  () => new Error('a defect'),
  isFull,
  (during) => (during === 'write' ? unknown : isFull(during)),
];

/** A store in which all methods fail, except those of tokens. Otherwise every request would fail at its token. */
const failing = (store: Store, failure: Failure): Store => {
  const failEach = <Part extends object>(part: Part): Part =>
    new Proxy(part, { get: (_part, name) => () => fail(failure)(String(name)) });
  const { plants, events, webhooks, deliveries } = store;
  return {
    ...store,
    plants: failEach(plants),
    events: failEach(events),
    webhooks: failEach(webhooks),
    deliveries: failEach(deliveries),
  };
};

/** A store in which the lookup of tokens fails. */
const tokenless = (store: Store, failure: Failure): Store => ({
  ...store,
  tokens: { ...store.tokens, findByDigest: () => fail(failure)('findByDigest') },
});

onBothEngines(() => {
  /** The bodies of all responses, by `operationId status`. */
  const received = new Map<string, Set<string>>();

  beforeAll(async () => {
    const store = await openTestStore();
    const app = await createTestApp({ store });
    const keep = ({ responses: these }: TestApp): void => {
      for (const [key, bodies] of these) received.set(key, bodies.union(received.get(key) ?? new Set()));
    };

    await send(app, 'POST', '/plants', '{"id":1,"name":"n"}');
    const webhook = (await jsonOf(await send(app, 'POST', '/webhooks', '{"url":"https://example.com/"}'))).id;
    const delivery = (await jsonOf(await send(app, 'POST', `/webhooks/${webhook}/test`))).id;
    const fill = (path: string): string => path.replace('{webhook}', webhook).replace('{delivery}', delivery);

    for (const [method, path, body, headers] of rejections)
      await send(app, method, fill(path), body, headers && { headers: { ...asJson, ...headers } });
    const etag = (await send(app, 'GET', '/plants/1')).headers.get('etag') ?? '';
    await send(app, 'GET', '/plants/1', undefined, { headers: { 'if-none-match': etag } });

    const none = await giveToken(store, { scopes: [] });
    for (const [method, path, body] of operations) {
      await send(app, method, fill(path), body, { authorization: null });
      await send(app, method, fill(path), body, { authorization: 'Bearer x' });
      await send(app, method, fill(path), body, { authorization: 'x' });
      await send(app, method, fill(path), body, { authorization: `Bearer ${none}` });
    }
    for (const failure of failures) {
      const failingApp = await createTestApp({ store: failing(store, failure) });
      for (const [method, path, body] of operations) await send(failingApp, method, fill(path), body);
      keep(failingApp);
      const tokenlessApp = await createTestApp({ store: tokenless(store, failure) });
      await send(tokenlessApp, 'GET', '/token');
      keep(tokenlessApp);
    }

    const limited = await createTestApp({ store, config: readConfig({}, { RATE_LIMIT: '1/30d' }) });
    for (const authorization of [`Bearer ${limited.token}`, null]) {
      await send(limited, 'GET', '/token', undefined, { authorization });
      for (const [method, path, body] of operations) await send(limited, method, fill(path), body, { authorization });
    }
    keep(limited);

    const cursor = (await jsonOf(await send(app, 'GET', '/events')))[0].eventId;
    for (const [method, path, body] of operations) await send(app, method, fill(path), body);
    const busy = (await jsonOf(await send(app, 'POST', '/webhooks', '{"url":"https://example.com/"}'))).id;
    const before = await store.deliveries.createTestMessage(busy);
    const { nextAttemptAt: _, requestedAt: __, ...settled } = before;
    await store.deliveries.record([{ before, after: settled }], new Map(), neverLeased);
    for (let count = 0; count <= testMessagesPendingMax; count += 1) await send(app, 'POST', `/webhooks/${busy}/test`);
    await send(app, 'POST', `/webhooks/${busy}/deliveries/${eventIdOf(before.event)}/redeliver`);
    for (let count = 0; count < webhooksMax; count += 1)
      await send(app, 'POST', '/webhooks', '{"url":"https://example.com/"}');
    for (const { id } of await store.webhooks.list()) await store.webhooks.delete(id);
    const streams: Response[] = [];
    // Some at a time, since a busy database would refuse all at once for another reason.
    while (streams.length <= streamsMax) {
      const open = () => send(app, 'GET', '/events', undefined, { headers: asStream });
      streams.push(...(await Promise.all(Array.from({ length: 50 }, open))));
    }
    for (const { body } of streams) await body?.cancel();
    await store.events.prune('9999-01-01T00:00:00.000Z', 100);
    await send(app, 'GET', `/events?after=${cursor}`);
    keep(app);
  });

  test('the service returns every status of every operation in the document', () => {
    expect([...received.keys()].sort()).toEqual([...documented].sort());
  });

  test('every example of an error is a response of its operation, word for word', () => {
    let count = 0;
    for (const { operationId, responses } of documentedOperations) {
      for (const [status, response] of Object.entries(responses).filter(([status]) => Number(status) >= 400)) {
        const examples = Object.values(resolve(response).content?.['application/json']?.examples ?? {});
        expect(examples).not.toBeEmpty();
        const bodies = received.get(`${operationId} ${status}`) ?? new Set();
        const missing = examples.map(({ value }) => JSON.stringify(value)).filter((body) => !bodies.has(body));
        expect({ operationId, status, missing }).toEqual({ operationId, status, missing: [] });
        count += examples.length;
      }
    }
    expect(count).toBeGreaterThan(100);
  });

  test('the scope of an operation is the only one that it requires', async () => {
    const store = await openTestStore();
    const app = await createTestApp({ store });
    for (const [method, path, body] of operations) {
      const documented = documentedOperations.find(
        (one) => one.method === method.toLowerCase() && one.path === pathOf(path),
      );
      const [requirement] = documented?.security ?? document.security;
      const needed: string[] = requirement.bearerAuth;
      expect<string[]>(scopes.filter((scope) => needed.includes(scope))).toEqual(needed);
      const withIt = await giveToken(store, { scopes: scopes.filter((scope) => needed.includes(scope)) });
      const without = await giveToken(store, { scopes: scopes.filter((scope) => !needed.includes(scope)) });
      const send = (token: string) =>
        app.send(method, path, {
          headers: asJson,
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { body }),
        });
      expect((await send(withIt)).status).not.toBe(403);
      const rejection = await send(without);
      expect(rejection.status === 403 ? [rejection.headers.get('www-authenticate')] : []).toEqual(
        needed.map((scope) => `Bearer realm="plant-store", error="insufficient_scope", scope="${scope}"`),
      );
    }
  });

  test('every link leads from a response to an operation that accepts it', async () => {
    const app = await createTestApp();
    const creations = [
      ['/plants', '{"id":-7,"name":"n"}'],
      ['/webhooks', '{"url":"https://example.com/"}'],
    ] as const;
    let followed = 0;
    for (const [path, body] of creations) {
      const response = await app.send('POST', path, { headers: asJson, body });
      const creation = documentedOperations.find((one) => one.method === 'post' && one.path === path);
      const documentedResponse = creation?.responses[response.status];
      const links = (documentedResponse && resolve(documentedResponse).links) ?? {};
      const received = await jsonOf(response);
      for (const { operationId, parameters } of Object.values(links)) {
        const target = documentedOperations.find((one) => one.operationId === operationId);
        const filled = Object.entries(parameters).reduce((template, [name, expression]) => {
          const [, source, member = ''] = /^\$(request|response)\.body#\/(\w+)$/.exec(expression) ?? [];
          return template.replace(`{${name}}`, (source === 'request' ? JSON.parse(body) : received)[member]);
        }, target?.path ?? '');
        const { status } = await app.send(`${target?.method}`.toUpperCase(), filled, { headers: asJson, body: '{}' });
        expect([operationId, status < 300]).toEqual([operationId, true]);
        followed += 1;
      }
    }
    expect(followed).toBe(8);
  });

  test('a response that does not conform to the document fails the check, with the reason', async () => {
    const request = new Request('http://localhost/plants', { method: 'POST' });
    const headers = {
      'content-type': 'application/json',
      location: 'plants/1',
      etag: '"0123456789abcdef"',
      'x-request-id': 'r',
    };
    const conformTo = (body: string | null, init: ResponseInit): Promise<unknown> =>
      conform(request, new Response(body, init));
    expect(await conformTo('{"name":"n"}', { headers })).toBe('createPlant 200');
    const { location, ...unlocated } = headers;
    expect(location).toBeString();
    for (const [body, init, reason] of [
      ['{"name":"n"}', { status: 201, headers }, 'createPlant 201 is not in the document'],
      ['{"name":"n"}', { headers: unlocated }, 'createPlant 200 lacks Location'],
      ['{"name":"n"}', { headers: { ...headers, 'x-request-id': 'a b' } }, 'has another X-Request-Id'],
      ['{"name":"n"}', { headers: { ...headers, 'x-more': '1' } }, 'has x-more'],
      ['{"name":"n"}', { headers: { ...headers, 'content-type': 'text/plain' } }, 'is not application/json'],
      ['{"name":"n"}', { headers: { ...headers, etag: 'W/"x"' } }, 'has another ETag than the document says'],
      ['{"name":1}', { headers }, 'does not fit its schema'],
      ['{}', { headers }, 'does not fit its schema'],
    ] as const) {
      await expect(conformTo(body, init)).rejects.toThrow(reason);
    }
    const deletion = new Request('http://localhost/plants/1', { method: 'DELETE' });
    const withBody = Object.defineProperty(new Response('x'), 'status', { value: 204 });
    withBody.headers.delete('content-type');
    withBody.headers.set('x-request-id', 'r');
    await expect(conform(deletion, withBody)).rejects.toThrow('deletePlant 204 has a body');
  });
});

/** Every status that the document has is one that the service gives, and the check of every answer can fail. */
import { expect, test } from 'bun:test';
import { AppError } from '../src/domain/error.ts';
import { webhooksMax } from '../src/domain/webhook.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import type { Store } from '../src/store/store.ts';
import { asJson, createTestApp, giveToken, jsonOf, type TestApp } from './support/app.ts';
import { conform, documented } from './support/conformance.ts';

/** Each operation once, in a way that succeeds on a store that holds the plant 1 and a webhook with a delivery. */
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
  ['DELETE', '/webhooks/{webhook}'],
  ['DELETE', '/plants/1'],
] as const;

type Refusal = readonly [method: string, path: string, body?: string | undefined, headers?: Record<string, string>];

/** What else each can be answered with. */
const refusals: readonly Refusal[] = [
  ['GET', '/plants?limit=0'],
  ['GET', '/plants/x'],
  ['GET', '/plants/9'],
  ['POST', '/plants', '{'],
  ['POST', '/plants', '{"id":1,"name":"other"}'],
  ['PATCH', '/plants/1', '{"name":1}'],
  ['PATCH', '/plants/9', '{}'],
  ['PATCH', '/plants/1', '{}', { 'if-match': '"x"' }],
  ['DELETE', '/plants/x'],
  ['DELETE', '/plants/9'],
  ['DELETE', '/plants/1', undefined, { 'if-match': '"x"' }],
  ['GET', '/events?after=x'],
  ['POST', '/webhooks', '{"url":"http://localhost/"}'],
  ['GET', '/webhooks/x'],
  ['DELETE', '/webhooks/x'],
  ['POST', '/webhooks/x/rotate'],
  ['POST', '/webhooks/x/test'],
  ['GET', '/webhooks/x/deliveries'],
  ['GET', '/webhooks/x/deliveries?limit=x'],
  ['POST', '/webhooks/x/deliveries/y/redeliver'],
  ...(['POST /plants', 'PATCH /plants/1', 'POST /webhooks'] as const).flatMap((operation) => {
    const [method = '', path = ''] = operation.split(' ');
    return [
      [method, path, '{}', { 'content-type': 'text/plain' }],
      [method, path, `{"name":"${'x'.repeat(70_000)}"}`],
    ] satisfies Refusal[];
  }),
];

const send = ({ send }: TestApp, method: string, path: string, body?: string, options: object = {}) =>
  send(method, path, { headers: asJson, ...(body !== undefined && { body }), ...options });

/** The store with every method of its parts failing, but for the look-up of tokens, which fails by itself. */
const failing = (store: Store, error: Error): Store => {
  const fail = <Part extends object>(part: Part): Part => new Proxy(part, { get: () => () => Promise.reject(error) });
  const { plants, events, webhooks, deliveries } = store;
  return {
    ...store,
    plants: fail(plants),
    events: fail(events),
    webhooks: fail(webhooks),
    deliveries: fail(deliveries),
  };
};

const tokenless = (store: Store, error: Error): Store => ({
  ...store,
  tokens: { ...store.tokens, findByDigest: () => Promise.reject(error) },
});

test('every status of every operation in the document is one that the service gives', async () => {
  const store = openSqliteStore(':memory:');
  const app = await createTestApp({ store });
  const answers = new Set<string>();
  const keep = ({ answers: these }: TestApp): void => {
    for (const answer of these) answers.add(answer);
  };

  await send(app, 'POST', '/plants', '{"id":1,"name":"n"}');
  const webhook = (await jsonOf(await send(app, 'POST', '/webhooks', '{"url":"https://example.com/"}'))).id;
  const delivery = (await jsonOf(await send(app, 'POST', `/webhooks/${webhook}/test`))).id;
  const fill = (path: string): string => path.replace('{webhook}', webhook).replace('{delivery}', delivery);

  for (const [method, path, body, headers] of refusals)
    await send(app, method, path, body, headers && { headers: { ...asJson, ...headers } });
  const etag = (await send(app, 'GET', '/plants/1')).headers.get('etag') ?? '';
  await send(app, 'GET', '/plants/1', undefined, { headers: { 'if-none-match': etag } });

  const none = await giveToken(store, { scopes: [] });
  for (const [method, path, body] of operations) {
    await send(app, method, fill(path), body, { authorization: null });
    await send(app, method, fill(path), body, { authorization: `Bearer ${none}` });
  }
  for (const error of [new Error('a defect'), new AppError('unavailable', 'Away.')]) {
    const broken = await createTestApp({ store: failing(store, error) });
    for (const [method, path, body] of operations) await send(broken, method, fill(path), body);
    keep(broken);
    const blind = await createTestApp({ store: tokenless(store, error) });
    await send(blind, 'GET', '/token');
    keep(blind);
  }

  const cursor = (await jsonOf(await send(app, 'GET', '/events')))[0].eventId;
  for (const [method, path, body] of operations) await send(app, method, fill(path), body);
  for (let count = 0; count < webhooksMax; count += 1)
    await send(app, 'POST', '/webhooks', '{"url":"https://example.com/"}');
  for (const { id } of await store.webhooks.list()) await store.webhooks.delete(id);
  await store.events.prune('9999-01-01T00:00:00.000Z', 100);
  await send(app, 'GET', `/events?after=${cursor}`);
  keep(app);
  expect([...answers].sort()).toEqual([...documented].sort());
});

test('an answer that the document does not promise is told, with what is wrong about it', async () => {
  const request = new Request('http://localhost/plants', { method: 'POST' });
  const headers = { 'content-type': 'application/json', location: '/plants/1', etag: '"x"' };
  const answer = (body: string | null, init: ResponseInit): Promise<unknown> =>
    conform(request, new Response(body, init));
  expect(await answer('{"name":"n"}', { headers })).toBe('createPlant 200');
  const { location, ...unlocated } = headers;
  expect(location).toBeString();
  for (const [body, init, reason] of [
    ['{"name":"n"}', { status: 201, headers }, 'createPlant 201 is not in the document'],
    ['{"name":"n"}', { headers: unlocated }, 'createPlant 200 lacks Location'],
    ['{"name":"n"}', { headers: { ...headers, 'x-more': '1' } }, 'has x-more'],
    ['{"name":"n"}', { headers: { ...headers, 'content-type': 'text/plain' } }, 'is not application/json'],
    ['{"name":1}', { headers }, 'does not fit its schema'],
    ['{}', { headers }, 'does not fit its schema'],
  ] as const) {
    await expect(answer(body, init)).rejects.toThrow(reason);
  }
  const deletion = new Request('http://localhost/plants/1', { method: 'DELETE' });
  const withBody = Object.defineProperty(new Response('x'), 'status', { value: 204 });
  withBody.headers.delete('content-type');
  await expect(conform(deletion, withBody)).rejects.toThrow('deletePlant 204 has a body');
});

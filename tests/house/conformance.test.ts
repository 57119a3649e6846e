/**
 * Compares the document with the service. The service returns every documented status and every message of an error.
 * The check of each response can fail.
 */
import { Database } from 'bun:sqlite';
import { beforeAll, expect, test } from 'bun:test';
import { AppError, diskFailed, pictureBytesMax } from '../../src/base/app-error.ts';
import { readConfig } from '../../src/config/config.ts';
import { mapValues } from '../../src/document/parts.ts';
import { eventIdOf } from '../../src/events/event.ts';
import { heldBytesMax } from '../../src/pictures/upload.ts';
import { exportsMax } from '../../src/plants/transfer/exporter.ts';
import { importsMax } from '../../src/plants/transfer/importer.ts';
import { toAppError } from '../../src/sqlite/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { scopes } from '../../src/tokens/token.ts';
import { webhook } from '../../src/webhooks/sample.ts';
import { createTestApp, giveToken, jsonOf, type TestApp } from '../support/app/app.ts';
import { createSampleApp } from '../support/app/sample-app.ts';
import { conform, statusesOf } from '../support/document/conformance.ts';
import { document, limited as documentWithLimit, type PlacedOperation, resolve } from '../support/document/document.ts';
import {
  type DocumentedResponse,
  documentedResponses,
  requestOf,
  responsesBeyondLimit,
} from '../support/document/documented-response.ts';
import { firstSuccesses, isReachable, keyOf, type Scene, sceneOf } from '../support/document/scenes.ts';
import { onBothEngines } from '../support/store/engines.ts';
import { isStream } from '../support/streams/event-stream.ts';
import { neverLeased } from '../support/webhooks/attempts.ts';

/** The requests that succeed, one for each operation, on a store with the sample data. */
const operations = firstSuccesses.map((documented) => ({ ...documented.operation, documented }));

/** Sends the request for a documented response, as often as its scene defines. Streams remain open until all are. */
const play = async (
  { send }: TestApp,
  documented: DocumentedResponse,
  { times = 1, ...circumstance }: Scene = {},
): Promise<Response> => {
  const request = requestOf(documented, circumstance);
  const responses: Response[] = [];
  // Some at a time, since a busy database would refuse all at once for another reason.
  while (responses.length < times - 1) {
    const count = Math.min(10, times - 1 - responses.length);
    responses.push(...(await Promise.all(Array.from({ length: count }, () => send(...request)))));
  }
  const last = await send(...request);
  for (const response of [...responses, last]) if (isStream(response)) await response.body?.cancel();
  return last;
};

/** Makes an error as the store throws it. */
type Failure = (during: 'read' | 'write') => unknown;

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
const failing = (store: Store, fail: () => Promise<never>): Store => {
  const parts = Object.entries(store).filter(([name, part]) => name !== 'tokens' && isPart(part));
  const failEach = (part: object): object =>
    new Proxy(part, { get: (_, method) => (method === 'scan' ? () => failOnRead(fail) : fail) });
  return { ...store, ...Object.fromEntries(parts.map(([name, part]) => [name, failEach(part)])) };
};

async function* failOnRead(fail: () => Promise<never>): AsyncGenerator<never> {
  yield await fail();
}

const isPart = (part: unknown): part is object =>
  typeof part === 'object' && part !== null && !(part instanceof Promise);

/** A store in which the lookup of tokens fails. */
const tokenless = (store: Store, fail: () => Promise<never>): Store => ({
  ...store,
  tokens: { ...store.tokens, findByDigest: fail },
});

/** Begins as many imports as may be in progress, sends another one, and ends them. */
const importTooMuch = async ({ send }: TestApp): Promise<void> => {
  const { readable, writable } = new TransformStream();
  const headers = { 'content-type': 'text/csv' };
  const bodies = [readable];
  while (bodies.length < importsMax) bodies.push(...(bodies.pop()?.tee() ?? []));
  const slow = bodies.map((body) => send('POST', '/import', { headers, body }));
  while ((await send('POST', '/import', { headers, body: 'x' })).status !== 503);
  await writable.close();
  await Promise.all(slow);
};

/** Begins as many uploads as fit into the memory for them, and one more. */
const uploadTooMuch = async ({ send }: TestApp): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const slow = () =>
    new ReadableStream({
      start: (controller) => controller.enqueue(new Uint8Array(pictureBytesMax)),
      pull: async (controller) => {
        await promise;
        controller.close();
      },
    });
  const headers = { 'content-type': 'image/png' };
  const sent = Array.from({ length: heldBytesMax / pictureBytesMax + 1 }, () =>
    send('PUT', '/plants/1/picture', { headers, body: slow() }),
  );
  await Promise.race(sent);
  resolve();
  await Promise.all(sent);
};

/** Begins one more export than may be in progress. */
const exportTooMuch = async (store: Store): Promise<TestApp> => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const scan = async function* () {
    yield [];
    await promise;
  };
  const app = await createTestApp({ store: { ...store, plants: { ...store.plants, scan } } });
  const sent = Array.from({ length: exportsMax + 1 }, () => app.send('GET', '/export'));
  await Promise.race(sent);
  resolve();
  await Promise.all(sent);
  return app;
};

/** Their operations have several statuses of success, and a plant that is deleted has no picture. */
const isOfPicture = ({ operation, status }: DocumentedResponse): boolean =>
  operation.path.endsWith('/picture') && status < 400;

/** GET only reads, and all other operations write. */
const accessOf = ({ method }: PlacedOperation): 'read' | 'write' => (method === 'get' ? 'read' : 'write');

onBothEngines(() => {
  /** The bodies of all responses, by `operationId status`. */
  const received = new Map<string, Set<string>>();
  const keep = ({ responses }: TestApp): void => {
    for (const [key, bodies] of responses) received.set(key, bodies.union(received.get(key) ?? new Set()));
  };

  beforeAll(async () => {
    const app = await createSampleApp();
    const { store } = app;
    const rejections = documentedResponses
      .filter(({ status }) => status >= 400)
      .filter(isReachable)
      .flatMap((documented) => {
        const scene = sceneOf(documented);
        return scene ? [{ documented, scene }] : [];
      });
    for (const { documented, scene } of rejections) if (scene.times === undefined) await play(app, documented, scene);

    const none = { authorization: `Bearer ${await giveToken(store, { scopes: [] })}` };
    for (const { documented } of operations) await play(app, documented, { headers: none });
    for (const failure of failures) {
      for (const during of ['read', 'write'] as const) {
        const fail = () => Promise.reject(failure(during));
        const failingApp = await createTestApp({ store: failing(store, fail) });
        for (const { documented } of operations)
          if (accessOf(documented.operation) === during) await play(failingApp, documented);
        keep(failingApp);
      }
      const tokenlessApp = await createTestApp({ store: tokenless(store, () => Promise.reject(failure('read'))) });
      for (const { documented } of operations)
        if (accessOf(documented.operation) === 'read') await play(tokenlessApp, documented);
      keep(tokenlessApp);
    }

    const limited = await createTestApp({ store, config: readConfig({}, { RATE_LIMIT: '1/30d' }) });
    await limited.send('GET', '/token');
    await limited.send('GET', '/token', { authorization: null });
    for (const { documented } of operations) {
      await play(limited, documented);
      await play(limited, documented, { headers: { authorization: '' } });
    }
    keep(limited);

    for (const documented of documentedResponses.filter(isOfPicture)) await play(app, documented, sceneOf(documented));
    const [{ eventId }] = await jsonOf(await app.send('GET', '/events'));
    for (const { documented } of operations) {
      await play(app, documented);
      // The version in the document is that of the demo, whose times are always the same.
      if ('304' in documented.operation.responses)
        await play(app, documented, { parameters: { 'If-None-Match': '*' } });
    }

    for (const { id } of await store.webhooks.list()) await store.webhooks.delete(id);
    await store.events.prune('9999-01-01T00:00:00.000Z', 100);
    await app.send('GET', `/events?after=${eventId}`);
    keep(app);

    const busy = await createSampleApp();
    const before = await busy.store.deliveries.createTestMessage(webhook.id);
    const { nextAttemptAt: _, requestedAt: __, ...settled } = before;
    await busy.store.deliveries.record([{ before, after: settled }], new Map(), neverLeased);
    for (const { documented, scene } of rejections) if (scene.times !== undefined) await play(busy, documented, scene);
    await importTooMuch(busy);
    await uploadTooMuch(busy);
    keep(await exportTooMuch(busy.store));
    await busy.send('POST', `/webhooks/${webhook.id}/deliveries/${eventIdOf(before.event)}/redeliver`);
    keep(busy);
  });

  test('the service returns every status of every operation in the document', () => {
    expect([...received.keys()].sort()).toEqual(statusesOf(documentWithLimit).sort());
  });

  test('every message of an error is in a response of its operation, word for word', () => {
    const errors = [...documentedResponses, ...responsesBeyondLimit].filter(({ status }) => status >= 400);
    expect(errors.length).toBeGreaterThan(150);
    const missing = errors.filter(
      ({ operation, status, example }) =>
        !received.get(`${operation.operationId} ${status}`)?.has(JSON.stringify(example)),
    );
    expect(missing.map((error) => [keyOf(error), error.example])).toEqual([]);
  });

  test('the scope of an operation is the only one that it requires', async () => {
    const app = await createSampleApp();
    const { store } = app;
    for (const { documented, security = document.security } of operations) {
      const [requirement] = security;
      const needed: string[] = requirement.bearerAuth;
      expect<string[]>(scopes.filter((scope) => needed.includes(scope))).toEqual(needed);
      const withIt = await giveToken(store, { scopes: scopes.filter((scope) => needed.includes(scope)) });
      const without = await giveToken(store, { scopes: scopes.filter((scope) => !needed.includes(scope)) });
      const send = (token: string) => play(app, documented, { headers: { authorization: `Bearer ${token}` } });
      expect((await send(withIt)).status).not.toBe(403);
      const rejection = await send(without);
      expect(rejection.status === 403 ? [rejection.headers.get('www-authenticate')] : []).toEqual(
        needed.map((scope) => `Bearer realm="plant-store", error="insufficient_scope", scope="${scope}"`),
      );
    }
  });

  test('every link leads from a response to an operation that accepts it', async () => {
    const app = await createTestApp();
    let followed = 0;
    for (const { documented, responses } of operations) {
      const response = responses[documented.status];
      const links = response && resolve(response).links;
      if (!links) continue;
      const [method, path, init] = requestOf(documented);
      const sent = JSON.parse(`${init.body}`);
      const received = await jsonOf(await app.send(method, path, init));
      for (const { operationId, parameters } of Object.values(links)) {
        const target = operations.find((operation) => operation.operationId === operationId);
        const values = mapValues(parameters, (expression) => {
          const [, source, member = ''] = /^\$(request|response)\.body#\/(\w+)$/.exec(expression) ?? [];
          return `${(source === 'request' ? sent : received)[member]}`;
        });
        if (!target) throw new Error(`There is no operation ${operationId}.`);
        const { status } = await play(app, target.documented, { parameters: values });
        expect([operationId, status]).toEqual([operationId, target.documented.status]);
        followed += 1;
      }
    }
    expect(followed).toBeGreaterThan(0);
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
    const { etag, location: _, ...ofAny } = headers;
    const limited = {
      'ratelimit-policy': '"token";q=1;w=1',
      ratelimit: '"token";r=0;t=1',
      'cache-control': 'no-store',
    };
    const excess = () =>
      new Response(JSON.stringify({ error: 42900, message: 'm' }), { status: 429, headers: { ...ofAny, ...limited } });
    expect(await conform(request, excess(), documentWithLimit)).toBe('createPlant 429');
    await expect(conform(request, excess())).rejects.toThrow('createPlant 429 is not in the document');
    await expect(conformTo('{"name":"n"}', { headers: { ...headers, ratelimit: limited.ratelimit } })).rejects.toThrow(
      'createPlant 200 has ratelimit, which is not in the document',
    );
    const deletion = new Request('http://localhost/plants/1', { method: 'DELETE' });
    const withBody = Object.defineProperty(new Response('x'), 'status', { value: 204 });
    withBody.headers.delete('content-type');
    withBody.headers.set('x-request-id', 'r');
    await expect(conform(deletion, withBody)).rejects.toThrow('deletePlant 204 has a body');
  });
});

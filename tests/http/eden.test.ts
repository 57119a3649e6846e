/** The types of the app, as Eden derives a client from them. */

import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'bun:test';
import type { Treaty } from '@elysiajs/eden';
import { readConfig } from '../../src/config.ts';
import { type App, createApp, operations } from '../../src/http/app.ts';
import { createDocument } from '../../src/http/document/document.ts';
import { createLog } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { giveToken } from '../support/app.ts';
import { createClient, exact } from '../support/eden.ts';
import { openTestStore } from '../support/engines.ts';

/** 2^53 + 1. */
const id = 9007199254740993n;
const path = { id: `${id}` };

interface NewPlant {
  id: bigint;
  name: string;
  tag?: string;
}
interface Times {
  createdAt: string;
  updatedAt: string;
}
interface Problem {
  error: number;
  message: string;
}

let store: Store;
let app: App;
let server: Bun.Server<undefined>;
beforeAll(async () => {
  store = await openTestStore();
  const { fetch, app: alone } = createApp({ store, config: readConfig({}, {}), log: createLog('silent') });
  app = alone;
  server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch });
});
afterAll(async () => {
  await server.stop(true);
  await store.close();
});

const targets: [string, () => string | App][] = [
  ['over a socket', () => `${server.url}`],
  ['over the app alone', () => app],
];

describe.each(targets)('a client by Eden %s', (_, target) => {
  test('creates, reads, changes, lists and deletes a plant with an id beyond 2^53', async () => {
    const api = createClient(target(), await giveToken(store));
    const created = await api.plants.post(exact({ id, name: 'Fern', tag: 'shade' }));
    expect(created.data).toEqual({ name: 'Fern', tag: 'shade' });
    expectTypeOf(created.data).toEqualTypeOf<{ name: string; tag?: string } | null>();

    const read = await api.plants(path).get();
    expect(read.data).toMatchObject({ id, name: 'Fern', createdAt: expect.any(String) });
    expectTypeOf(read.data?.id).toEqualTypeOf<bigint | undefined>();

    const etag = `${read.response?.headers.get('etag')}`;
    const stale = await api.plants(path).patch({ tag: null }, { headers: { 'If-Match': '"x"' } });
    expect([stale.status, stale.error?.status]).toEqual([412, 412]);
    const changed = await api.plants(path).patch({ name: 'Tree fern' }, { headers: { 'If-Match': etag } });
    expect(changed.data).toMatchObject({ id, name: 'Tree fern', tag: 'shade' });

    const listed = await api.plants.get({ query: { tag: 'shade', limit: 10 } });
    expect(listed.data?.map((plant) => plant.id)).toEqual([id]);
    const events = await api.events.get({ query: { type: 'plant.updated' } });
    expect(events.data?.at(-1)).toMatchObject({ type: 'plant.updated', id, sequence: expect.any(BigInt) });

    const deleted = await api.plants(path).delete();
    expect([deleted.status, deleted.error]).toEqual([204, null]);
  });

  test('gets the body of a 409 and of a 404', async () => {
    const api = createClient(target(), await giveToken(store));
    await api.plants.post(exact({ id: 7n, name: 'Fern' }));
    const taken = await api.plants.post(exact({ id: 7n, name: 'Moss' }));
    if (taken.error?.status !== 409) throw new Error('The id is not taken.');
    expectTypeOf(taken.error.value).toEqualTypeOf<Problem>();
    expect(taken.error.value.error).toBe(40900);
    const missing = await api.plants({ id: '8' }).get();
    if (missing.error?.status !== 404) throw new Error('The plant exists.');
    expectTypeOf(missing.error.value).toEqualTypeOf<Problem>();
    expect(missing.error.value).toEqual({ error: 40400, message: expect.any(String) });
    await api.plants({ id: '7' }).delete();
  });

  test('creates, reads and deletes a webhook', async () => {
    const api = createClient(target(), await giveToken(store));
    const created = await api.webhooks.post({ url: 'https://example.com/plants', events: ['plant.created'] });
    expect(created.data).toMatchObject({ enabled: true, secret: expect.stringMatching(/^whsec_/) });
    expectTypeOf(created.data?.secret).toEqualTypeOf<string | undefined>();
    const webhook = api.webhooks({ webhookId: created.data?.id ?? '' });
    expect((await webhook.get()).data?.events).toEqual(['plant.created']);
    expect((await webhook.deliveries.get({ query: { limit: 1 } })).data).toEqual([]);
    expect((await webhook.delete()).status).toBe(204);
  });
});

/** The compiler checks these: another member or path of an operation makes them fail. */
test('the types of the client are those of the schemas', () => {
  type Client = ReturnType<typeof createClient>;
  type Plant = ReturnType<Client['plants']>;

  expectTypeOf<Parameters<Client['plants']['post']>[0]>().toEqualTypeOf<NewPlant>();
  expectTypeOf<Treaty.Data<Plant['get']>>().toEqualTypeOf<NewPlant & Times>();
  expectTypeOf<Treaty.Data<Client['events']['get']>[number]['sequence']>().toEqualTypeOf<bigint>();
});

const always = { 401: true, 429: true, 500: true, 503: true };
const scoped = { ...always, 403: true };
const body = { 400: true, 413: true, 415: true };

/** The statuses of each operation. The compiler compares them with the types, and the test with the document. */
const statuses = {
  listPlants: { ...scoped, 200: true, 400: true },
  createPlant: { ...scoped, ...body, 200: true, 409: true },
  getPlant: { ...scoped, 200: true, 304: true, 400: true, 404: true },
  updatePlant: { ...scoped, ...body, 200: true, 404: true, 412: true },
  deletePlant: { ...scoped, 204: true, 400: true, 404: true, 412: true },
  listEvents: { ...scoped, 200: true, 400: true, 410: true },
  listWebhooks: { ...scoped, 200: true },
  createWebhook: { ...scoped, ...body, 201: true, 409: true },
  getWebhook: { ...scoped, 200: true, 404: true },
  deleteWebhook: { ...scoped, 204: true, 404: true },
  rotateWebhook: { ...scoped, 200: true, 404: true },
  testWebhook: { ...scoped, 202: true, 404: true, 409: true },
  listDeliveries: { ...scoped, 200: true, 400: true, 404: true },
  redeliver: { ...scoped, 202: true, 404: true, 409: true },
  getToken: { ...always, 200: true },
  getMetrics: { ...scoped, 200: true },
};

type Routes = App['~Routes'];
type Plant = Routes['plants'][':id'];
type Webhook = Routes['webhooks'][':webhookId'];
interface Typed {
  listPlants: Routes['plants']['get'];
  createPlant: Routes['plants']['post'];
  getPlant: Plant['get'];
  updatePlant: Plant['patch'];
  deletePlant: Plant['delete'];
  listEvents: Routes['events']['get'];
  listWebhooks: Routes['webhooks']['get'];
  createWebhook: Routes['webhooks']['post'];
  getWebhook: Webhook['get'];
  deleteWebhook: Webhook['delete'];
  rotateWebhook: Webhook['rotate']['post'];
  testWebhook: Webhook['test']['post'];
  listDeliveries: Webhook['deliveries']['get'];
  redeliver: Webhook['deliveries'][':deliveryId']['redeliver']['post'];
  getToken: Routes['token']['get'];
  getMetrics: Routes['metrics']['get'];
}
type Statuses = { [Id in keyof Typed]: keyof Typed[Id]['response'] };

test('the types of the client have the operations and the statuses of the document', () => {
  expectTypeOf<{ [Id in keyof typeof statuses]: keyof (typeof statuses)[Id] }>().toEqualTypeOf<Statuses>();
  const documented = Object.values(createDocument(operations).paths).flatMap((methods) =>
    Object.values(methods).flatMap(({ operationId, responses }) =>
      operationId ? [[operationId, Object.keys(responses)]] : [],
    ),
  );
  const typed = Object.entries<object>(statuses).map(([id, byStatus]) => [id, Object.keys(byStatus)]);
  expect(typed).toEqual(documented);
});

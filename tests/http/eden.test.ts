/** The types of the app, as Eden derives a client from them. */

import { afterAll, beforeAll, describe, expect, expectTypeOf, test } from 'bun:test';
import { type Treaty, treaty } from '@elysiajs/eden';
import { createClient, exact, int64Members, optionsFor } from '../../examples/eden/client.ts';
import type document from '../../openapi/openapi-3.2.json';
import { type App, createApp, operations } from '../../src/app/app.ts';
import { readConfig } from '../../src/config/config.ts';
import { createDocument } from '../../src/document/document.ts';
import { createLog } from '../../src/log.ts';
import type { NewPlant, Picture, Plant, PlantRecord } from '../../src/plants/plant.ts';
import type { Store } from '../../src/store/store.ts';
import { giveToken } from '../support/app/app.ts';
import { openTestStore } from '../support/store/engines.ts';

/** 2^53 + 1. */
const id = 9007199254740993n;
const path = { id: `${id}` };

/** A type of the domain as JSON has it. A member is omitted, never undefined. */
type Wire<Type> = { -readonly [Name in keyof Type]: Exclude<Type[Name], undefined> };

interface Problem {
  error: number;
  message: string;
  details?: { pointer?: string; parameter?: string; message: string }[];
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

type Client = ReturnType<typeof createClient>;

const clients: [string, (token: string) => Client][] = [
  ['over a socket', (token) => createClient(`${server.url}`, token)],
  ['over the app alone', (token) => treaty(app, optionsFor(token))],
];

describe.each(clients)('a client by Eden %s', (_, connect) => {
  test('creates, reads, changes, lists and deletes a plant with an id beyond 2^53', async () => {
    const api = connect(await giveToken(store));
    const created = await api.plants.post(exact({ id, name: 'Fern', tag: 'shade' }));
    expect(created.data).toEqual({ name: 'Fern', tag: 'shade' });
    expectTypeOf(created.data).toEqualTypeOf<Wire<Plant> | null>();

    const read = await api.plants(path).get();
    expect(read.data).toMatchObject({ id, name: 'Fern', createdAt: expect.any(String) });
    expectTypeOf(read.data?.id).toEqualTypeOf<bigint | undefined>();

    const etag = `${read.response?.headers.get('etag')}`;
    const stale = await api.plants(path).patch({ tag: null }, { headers: { 'If-Match': '"x"' } });
    expect([stale.status, stale.error?.status]).toEqual([412, 412]);
    const changed = await api.plants(path).patch({ name: 'Tree fern' }, { headers: { 'If-Match': etag } });
    expect(changed.data).toMatchObject({ id, name: 'Tree fern', tag: 'shade' });
    const again = await api.plants(path).patch(exact({ id, name: 'Tree fern' }));
    const rounded = await api.plants(path).patch(exact({ id: BigInt(Number(id)), name: 'Tree fern' }));
    expect([again.status, rounded.status]).toEqual([200, 400]);

    const listed = await api.plants.get({ query: { tag: 'shade', limit: 10 } });
    expect(listed.data?.map((plant) => plant.id)).toEqual([id]);
    const events = await api.events.get({ query: { type: 'plant.updated' } });
    expect(events.data?.at(-1)).toMatchObject({ type: 'plant.updated', id, sequence: expect.any(BigInt) });

    const deleted = await api.plants(path).delete();
    expect([deleted.status, deleted.error]).toEqual([204, null]);
  });

  test('imports a file, finds its plants by a text in their names, and exports them', async () => {
    const api = connect(await giveToken(store));
    const csv = { headers: { 'content-type': 'text/csv' } };
    const imported = await api.import.post(`id,name\n${id},Tree fern\n8,\n`, { ...csv, query: { partial: 'true' } });
    expect(imported.data).toMatchObject({ created: 1, rejected: 1, rejectedRows: [{ line: 3 }] });
    const found = await api.plants.get({ query: { search: 'FERN', sort: 'name' } });
    expect(found.data?.map((plant) => plant.id)).toEqual([id]);
    const exported = await api.export.get({ query: { search: 'fern' } });
    expect(exported.data).toStartWith(`{"id":${id},"name":"Tree fern",`);
    const newest = await api.events.get({ query: { sort: '-sequence', plant: `${id}`, limit: 1 } });
    expect(newest.data).toMatchObject([{ type: 'plant.created', id }]);
    expect((await api.plants(path).delete()).status).toBe(204);
  });

  test('gets the body of a 409 and of a 404', async () => {
    const api = connect(await giveToken(store));
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
    const api = connect(await giveToken(store));
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
  type OnePlant = ReturnType<Client['plants']>;

  expectTypeOf<Parameters<Client['plants']['post']>[0]>().toEqualTypeOf<Wire<NewPlant>>();
  expectTypeOf<Parameters<Client['import']['post']>[0]>().toEqualTypeOf<string>();
  expectTypeOf<Treaty.Data<OnePlant['get']>>().toEqualTypeOf<
    Wire<NewPlant & Pick<PlantRecord, 'createdAt' | 'updatedAt'> & { picture?: Wire<Picture> }>
  >();
  expectTypeOf<Treaty.Data<Client['events']['get']>[number]['sequence']>().toEqualTypeOf<bigint>();
});

test('the client reads each member of the format int64 as BigInt, apart from a duration, and no other number has its name', () => {
  const schemas = JSON.stringify(createDocument(operations).components.schemas, (name, value) =>
    name === 'example' || name === 'examples' ? undefined : value,
  );
  const numbers = [
    ...schemas.matchAll(
      /"(\w+)":\{(?:"description":"[^"]*",)?"type":(?:"integer"|\["integer","null"\])(,"format":"int64")?/g,
    ),
  ];
  const [exactNames = [], otherNames = []] = [true, false].map((isInt64) =>
    numbers.filter(([, , format]) => (format !== undefined) === isInt64).map(([, name = '']) => name),
  );
  // A duration is far below 2^53.
  expect([...new Set(exactNames)].sort()).toEqual(['durationMs', ...int64Members]);
  expect(otherNames.filter((name) => int64Members.includes(name))).toEqual([]);
});

type Paths = (typeof document)['paths'];
type Methods<Path extends keyof Paths> = Exclude<keyof Paths[Path], 'parameters'>;

/** The type of the route of a path, as Elysia keeps it: by the segments of the path. */
type RouteAt<Routes, Path> = Path extends `/${infer Segment}/${infer Rest}`
  ? RouteAt<Member<Routes, Segment>, `/${Rest}`>
  : Path extends `/${infer Segment}`
    ? Member<Routes, Segment>
    : never;
type Member<Type, Name> = Name extends `{${infer Parameter}}` ? At<Type, `:${Parameter}`> : At<Type, Name>;
type At<Type, Name> = Name extends keyof Type ? Type[Name] : never;

/** The statuses of each operation, by path and method: in the document, with that of a rate limit, and in the types of the app. */
type Documented = {
  [Path in keyof Paths]: { [Method in Methods<Path>]: keyof At<Paths[Path][Method], 'responses'> | '429' };
};
type Typed = {
  [Path in keyof Paths]: {
    [Method in Methods<Path>]: `${keyof At<At<RouteAt<App['~Routes'], Path>, Method>, 'response'> & number}`;
  };
};

/** The compiler checks it. `openapi-3.2.json` is the same as the served document, by another test. */
test('the types of the client have the operations and the statuses of the document', () => {
  expectTypeOf<Typed>().toEqualTypeOf<Documented>();
  expectTypeOf<Typed['/plants/{id}']['get']>().toEqualTypeOf<
    '200' | '304' | '400' | '401' | '403' | '404' | '429' | '500' | '503'
  >();
});

import { expect, test } from 'bun:test';
import { treaty } from '@elysiajs/eden';
import { createApp } from './app.ts';
import { openDatabase } from './database.ts';

/** A client of a new service, with this token. */
const createClient = (token = 'secret') =>
  treaty(createApp(openDatabase(':memory:'), 'secret'), { headers: { authorization: `Bearer ${token}` } });

const query = { after: 3, limit: 10 };
const fern = { id: 4, name: 'Fern', tag: 'shade' };

test('a plant that was created can be read, listed and deleted', async () => {
  const api = createClient();
  expect((await api.plants.post(fern)).data).toEqual(fern);
  expect((await api.plants({ id: 4 }).get()).data).toEqual(fern);
  expect((await api.plants.get({ query })).data).toEqual([fern]);
  expect((await api.plants({ id: 4 }).delete()).status).toBe(204);
  expect((await api.plants({ id: 4 }).get()).error).toMatchObject({ status: 404 });
});

test('a second plant with an id is refused, and the first one stays', async () => {
  const api = createClient();
  await api.plants.post(fern);
  expect((await api.plants.post({ id: 4, name: 'Moss' })).error).toMatchObject({ status: 409 });
  expect((await api.plants({ id: 4 }).get()).data).toEqual(fern);
});

test.each([
  ['a wrong token', () => createClient('other').plants.get({ query }), 401],
  ['an empty token', () => createClient('').plants.get({ query }), 401],
  ['an id beyond 2^53', () => createClient().plants.post({ ...fern, id: 2 ** 53 }), 400],
  ['a name that is no text', () => createClient().plants.post({ ...fern, name: 5 as never }), 400],
])('%s is refused', async (_what, send, status) => {
  expect((await send()).status).toBe(status);
});

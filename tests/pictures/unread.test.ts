/** Pictures that clients do not read are limited, as other large responses are. */
import { expect, test } from 'bun:test';
import { pictureBytesMax } from '../../src/base/app-error.ts';
import type { Store } from '../../src/store/store.ts';
import { create, createTestApp } from '../support/app/app.ts';
import { pngOfBytes } from '../support/pictures/pictures.ts';
import { until } from '../support/until.ts';

test('the picture after 64 MiB that no client has read gets 503, until one is read', async () => {
  let isPending = true;
  const app = await createTestApp({ isPending: () => isPending });
  await create(app, '{"id":1,"name":"Fern"}');
  const headers = { 'content-type': 'image/png' };
  await app.send('PUT', '/plants/1/picture', { headers, body: pngOfBytes(pictureBytesMax) });
  const get = async (): Promise<number> => (await app.send('GET', '/plants/1/picture')).status;
  const statuses: number[] = [];
  for (let count = 0; count < 65; count += 1) statuses.push(await get());
  isPending = false;
  expect(statuses).toEqual([...Array<number>(64).fill(200), 503]);
  expect(await get()).toBe(200);
});

test('pictures count from before they are read, so that no more than 64 MiB are read at once', async () => {
  const app = await createTestApp();
  await create(app, '{"id":1,"name":"Fern"}');
  const headers = { 'content-type': 'image/png' };
  await app.send('PUT', '/plants/1/picture', { headers, body: pngOfBytes(pictureBytesMax) });
  const release = Promise.withResolvers<void>();
  let reads = 0;
  const { store } = app;
  const get: Store['pictures']['get'] = async (id) => {
    reads += 1;
    await release.promise;
    return store.pictures.get(id);
  };
  const slow = await createTestApp({ store: { ...store, pictures: { ...store.pictures, get } } });
  let refused = 0;
  const asked = Array.from({ length: 65 }, async () => {
    const { status } = await slow.send('GET', '/plants/1/picture');
    if (status === 503) refused += 1;
  });
  await until(() => reads + refused === 65);
  expect([reads, refused]).toEqual([64, 1]);
  release.resolve();
  await Promise.all(asked);
  expect(refused).toBe(1);
});

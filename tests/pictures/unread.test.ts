/** Pictures that clients do not read are limited, as other large responses are. */
import { expect, test } from 'bun:test';
import { pictureBytesMax } from '../../src/base/app-error.ts';
import { create, createTestApp } from '../support/app/app.ts';
import { pngOfBytes } from '../support/pictures/pictures.ts';

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

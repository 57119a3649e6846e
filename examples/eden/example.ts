/**
 * Creates, reads, lists and deletes the plants with the first and the last id.
 * Runs on Bun (`bun example.ts`), on Node.js 22.18 or later (`node example.ts`), and on Deno (`deno run -NE example.ts`).
 */
import assert from 'node:assert/strict';
import process from 'node:process';
import { createClient, exact } from './client.ts';

const { PLANT_STORE_URL: url = 'http://127.0.0.1:3000' } = process.env;
const { PLANT_STORE_TOKEN: token = 'plant_ThisTokenIsPublicUseItForTests0JVZRz' } = process.env;
const api = createClient(url, token);

for (const id of [-(2n ** 63n), 2n ** 63n - 1n]) {
  const created = await api.plants.post(exact({ id, name: 'Fern', tag: 'shade' }));
  if (created.error) throw new Error(`${created.status} ${created.error.value.message}`);

  const plant = api.plants({ id: `${id}` });
  const { data, response } = await plant.get();
  assert.equal(data?.id, id);

  const headers = { 'If-Match': `${response?.headers.get('etag')}` };
  // With the id in the body too, a path to another plant is refused.
  const changed = await plant.patch(exact({ id, tag: null }), { headers });
  assert.deepEqual([changed.data?.id, changed.data?.tag], [id, undefined]);
  // Its version is another one now.
  const stale = await plant.patch({ name: 'Moss' }, { headers });
  assert.equal(stale.error?.status, 412);

  const listed = await api.plants.get();
  assert(listed.data?.some((one) => one.id === id));
  assert.equal((await plant.delete()).status, 204);
  console.log(`Plant ${id} was created, read, changed, listed and deleted.`);
}

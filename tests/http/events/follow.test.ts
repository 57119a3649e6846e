import { expect, test } from 'bun:test';
import { followLog } from '../../../src/http/events/follow.ts';
import { openTestStore } from '../../support/engines.ts';

test('a follower fails if events are removed before it reads them', async () => {
  const store = await openTestStore();
  for (let id = 1n; id <= 4n; id += 1n) await store.plants.create({ id, name: 'n' });
  await store.events.prune('9999-01-01T00:00:00.000Z', 2);
  const { signal } = new AbortController();
  await expect(followLog(store, { after: 1n, signal }).next()).rejects.toMatchObject({ code: 'cursor_expired' });
  const { value } = await followLog(store, { after: 2n, signal }).next();
  expect(value).toMatchObject([{ sequence: 3n }, { sequence: 4n }]);
});

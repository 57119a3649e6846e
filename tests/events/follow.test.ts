import { expect, test } from 'bun:test';
import { followLog } from '../../src/events/live-log.ts';
import { openTestStore } from '../support/store/engines.ts';
import { createMany } from '../support/store/many-plants.ts';
import { countTurns } from '../support/turn-counter.ts';

test('a follower fails if events are removed before it reads them', async () => {
  const store = await openTestStore();
  for (let id = 1n; id <= 4n; id += 1n) await store.plants.create({ id, name: 'n' });
  await store.events.prune('9999-01-01T00:00:00.000Z', 2);
  const { signal } = new AbortController();
  await expect(followLog(store, { after: 1n, signal }).next()).rejects.toMatchObject({ code: 'cursor_expired' });
  const { value } = await followLog(store, { after: 2n, signal }).next();
  expect(value?.events).toMatchObject([{ sequence: 3n }, { sequence: 4n }]);
});

test('a follower of one type fails if events of any type are removed before it reads them', async () => {
  const store = await openTestStore();
  for (let id = 1n; id <= 4n; id += 1n) await store.plants.create({ id, name: 'n' });
  await store.events.prune('9999-01-01T00:00:00.000Z', 2);
  const { signal } = new AbortController();
  const follow = (after: bigint) => followLog(store, { after, types: ['plant.deleted'], signal }).next();
  await expect(follow(1n)).rejects.toMatchObject({ code: 'cursor_expired' });
  expect((await follow(2n)).value).toMatchObject({ events: [], last: { sequence: 4n } });
});

test('other work runs between the pages of a long log', async () => {
  const store = await openTestStore();
  await createMany(store, 2500);
  using counter = countTurns();
  let pages = 0;
  const stop = new AbortController();
  for await (const { last } of followLog(store, { after: 0n, signal: stop.signal })) {
    pages += 1;
    if (last?.sequence === 2500n) stop.abort();
  }
  expect(pages).toBe(5);
  expect(counter.turns()).toBeGreaterThanOrEqual(pages - 1);
});

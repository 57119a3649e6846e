import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { generateSecret } from '../../src/base/signature.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import type { Store } from '../../src/store/store.ts';
import { type LeaseRequest, leaseMs } from '../../src/webhooks/lease.ts';
import { freshDatabase } from '../support/postgres/postgres-database.ts';
import { onEveryEngine } from '../support/store/engines.ts';
import { openPostgres } from '../support/store/postgres-engine.ts';
import { attemptNew } from '../support/webhooks/attempts.ts';

const request = (sender: string, more: Partial<LeaseRequest> = {}): LeaseRequest => ({
  sender,
  released: new Set(),
  isLeaving: false,
  ...more,
});

const addWebhook = (store: Store) =>
  store.webhooks.create({ url: 'https://example.com/', events: plantEventTypes, secret: generateSecret() });

let store: Store;
afterEach(() => setSystemTime());
onEveryEngine(
  (fresh) => {
    store = fresh;
  },
  () => {
    test('another sender gets a lease only after its release, and in a new epoch', async () => {
      const { id } = await addWebhook(store);
      const { held } = await store.leases.renew(request('a'));
      expect(held.get(id)?.epoch).toBe(1n);
      expect(held.get(id)?.validMs).toBe(leaseMs);
      expect((await store.leases.renew(request('b'))).held.size).toBe(0);
      await store.leases.renew(request('a', { released: new Set([id]), isLeaving: true }));
      expect((await store.leases.renew(request('b'))).held.get(id)?.epoch).toBe(2n);
    });

    test('a record of a sender without the current epoch changes nothing', async () => {
      const webhook = await addWebhook(store);
      const other = await addWebhook(store);
      await store.plants.create({ id: 1n, name: 'n' });
      await store.leases.renew(request('a'));
      await store.leases.renew(request('a', { released: new Set([webhook.id]), isLeaving: true }));
      await store.leases.renew(request('b'));
      const attempt = { at: new Date().toISOString(), durationMs: 1, status: 410 };
      // The epoch of the webhook is 2 by now, that of the other one is 1.
      for (const { id, position } of [webhook, other])
        await attemptNew(store, { id, position }, attempt, undefined, new Map([[id, 1n]]));
      expect(await store.deliveries.list(webhook.id, { limit: 10 })).toEqual([]);
      expect(await store.webhooks.get(webhook.id)).toEqual(webhook);
      expect(await store.deliveries.list(other.id, { limit: 10 })).toHaveLength(1);
      expect(await store.webhooks.get(other.id)).toMatchObject({ position: 1n, disabled: { reason: 'gone' } });
    });

    test('a record for a webhook without an epoch changes nothing', async () => {
      const { id, position } = await addWebhook(store);
      await store.plants.create({ id: 1n, name: 'n' });
      const attempt = { at: new Date().toISOString(), durationMs: 1, status: 200 };
      await attemptNew(store, { id, position }, attempt, undefined, new Map());
      expect((await store.webhooks.get(id))?.position).toBe(0n);
      expect(await store.deliveries.list(id, { limit: 10 })).toEqual([]);
    });
  },
);

test('when many senders ask at the same time on PostgreSQL, one gets each lease', async () => {
  await using database = await freshDatabase();
  const stores = await Promise.all(Array.from({ length: 6 }, () => openPostgres(database.url)));
  const [first] = stores;
  if (!first) throw new Error('there is no store');
  for (let count = 0; count < 10; count += 1) await addWebhook(first);
  // None has seen the others when it asks.
  const all = await Promise.all(stores.map((store, index) => store.leases.renew(request(`sender_${index}`))));
  const owned = all.flatMap(({ held }) => [...held.keys()]);
  expect(owned).toHaveLength(10);
  expect(new Set(owned).size).toBe(10);
  for (const store of stores) await store.close();
});

test('leases on PostgreSQL expire by the clock of the server, for any clock of a process', async () => {
  await using database = await freshDatabase();
  const store = await openPostgres(database.url);
  const { id } = await addWebhook(store);
  setSystemTime(new Date(Date.now() - 86_400_000));
  expect((await store.leases.renew(request('a'))).held.get(id)?.validMs).toBe(leaseMs);
  setSystemTime(new Date(Date.now() + 2 * 86_400_000));
  expect((await store.leases.renew(request('b'))).held.size).toBe(0);
  await store.close();
});

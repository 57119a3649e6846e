/** The lanes of senders that share a store. Nothing is sent. */
import { expect, test } from 'bun:test';
import { plantEventTypes } from '../../src/events/event.ts';
import { createLog } from '../../src/log.ts';
import { createLanes } from '../../src/sender/lanes.ts';
import { leaseMs, renewalMs } from '../../src/webhooks/lease.ts';
import type { LeaseStore } from '../../src/webhooks/store.ts';
import { onBothEngines, openTestStore } from '../support/store/engines.ts';

onBothEngines(() => {
  test('lanes are idle until a lease is to be renewed, or while there is another sender', async () => {
    const store = await openTestStore();
    await store.webhooks.create({ url: 'https://example.com/', events: plantEventTypes, secret: 's' });
    let ageMs = 0;
    const leases: LeaseStore = {
      renew: async (request) => {
        const renewed = await store.leases.renew(request);
        const held = new Map([...renewed.held].map(([id, lease]) => [id, { ...lease, validMs: leaseMs - ageMs }]));
        return { ...renewed, held };
      },
    };
    const start = () =>
      createLanes({
        store: { webhooks: store.webhooks, leases },
        deliveries: store.deliveries,
        clock: { nowMs: Date.now },
        random: () => 0,
        log: createLog('silent'),
        isTarget: () => true,
      });
    const lanes = start();
    const refresh = async (): Promise<boolean> => {
      await lanes.refresh();
      for (const { lane } of lanes.all()) await lane.load(1, (after, types) => store.events.read(after, 1, types));
      return lanes.isIdle();
    };
    expect(lanes.isIdle()).toBe(false);
    expect(await refresh()).toBe(true);
    ageMs = renewalMs;
    expect(await refresh()).toBe(false);
    ageMs = 0;
    expect(await refresh()).toBe(true);
    const other = start();
    await other.refresh();
    expect(await refresh()).toBe(false);
    await other.leave(true);
    expect(await refresh()).toBe(true);
    await store.close();
  });
});

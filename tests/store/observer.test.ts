/** The reports of both engines. */
import { beforeEach, expect, test } from 'bun:test';
import { withTrace } from '../../src/base/trace-context.ts';
import type { Store } from '../../src/store/store.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { createStoreReports, type StoreReports } from '../support/store/store-reports.ts';

const traceOf = (id: string): string => `00-${id.repeat(32)}-${id.repeat(16)}-01`;

onBothEngines(() => {
  let store: Store;
  let reports: StoreReports;
  beforeEach(async () => {
    const database = await createTestDatabase();
    reports = createStoreReports();
    store = await openTestStore(database.url, { observer: reports.observer });
  });

  test('a batch is reported with its size, refused writes too, and the traces of its requests, before it is answered', async () => {
    await store.plants.create({ id: 1n, name: 'n' });
    reports.batches.length = 0;
    const reported = () => reports.batches.length;
    const outcomes = await Promise.all([
      withTrace(traceOf('2'), () => store.plants.create({ id: 2n, name: 'n' })).then(reported),
      store.plants.update(1n, { name: 'm' }).then(reported),
      withTrace(traceOf('3'), () => store.plants.delete(3n)).catch(reported),
      withTrace(traceOf('4'), () => store.plants.update(1n, { tag: 't' })).then(reported),
    ]);
    expect(outcomes).toEqual([1, 1, 1, 1]);
    expect(reports.batches).toMatchObject([
      { writes: 4, isCommitted: true, traceparents: [traceOf('2'), traceOf('3'), traceOf('4')] },
    ]);
  });

  test('the times of a batch are when its oldest write was queued, when it began and when it ended', async () => {
    const beforeMs = performance.now();
    const writes = [store.plants.create({ id: 1n, name: 'n' })];
    const queuedMs = performance.now();
    // Nothing else runs meanwhile, so that the second write is queued later.
    while (performance.now() < queuedMs + 2);
    writes.push(store.plants.create({ id: 2n, name: 'n' }));
    const allQueuedMs = performance.now();
    await Promise.all(writes);
    const [batch] = reports.batches;
    if (!batch) throw new Error('No batch was reported.');
    const times = [batch.queuedAtMs, queuedMs, allQueuedMs, batch.startedAtMs, batch.endedAtMs, performance.now()];
    expect([beforeMs, ...times].sort((a, b) => a - b)).toEqual([beforeMs, ...times]);
    expect(batch.endedAtMs).toBeGreaterThan(batch.startedAtMs);
    expect(reports.batches).toHaveLength(1);
  });

  test('writes are counted while they wait, and not once they are answered', async () => {
    expect(store.queued()).toBe(0);
    const writes = [1n, 2n, 3n].map((id) => store.plants.create({ id, name: 'n' }));
    expect(store.queued()).toBe(3);
    await Promise.all(writes);
    expect(store.queued()).toBe(0);
  });

  test('events are counted by type, and a change without an event is not', async () => {
    await Promise.all([1n, 2n, 3n, 3n].map((id) => store.plants.create({ id, name: 'n' })));
    await Promise.allSettled([
      store.plants.create({ id: 1n, name: 'other' }),
      store.plants.create({ id: 4n, name: 'n' }),
      store.plants.update(1n, { name: 'm' }),
      store.plants.update(2n, { name: 'n' }),
      store.plants.update(9n, { name: 'n' }),
      store.plants.delete(3n),
      store.plants.delete(9n),
    ]);
    expect(reports.events).toEqual({ 'plant.created': 4, 'plant.updated': 1, 'plant.deleted': 1 });
    expect(await store.events.head()).toBe(6n);
  });

  test('the events of an import are counted once it is committed, and none when it is not', async () => {
    await store.plants.putAll(async (put) => {
      await put(
        [1n, 2n, 1n].map((id) => ({ id, name: 'n' })),
        'leave',
      );
      await put(
        [1n, 2n, 3n].map((id) => ({ id, name: id === 2n ? 'm' : 'n' })),
        'replace',
      );
      await put([{ id: 1n, name: 'other' }], 'leave');
      expect(reports.events).toEqual({});
    });
    expect(reports.events).toEqual({ 'plant.created': 3, 'plant.updated': 1 });
    const failing = store.plants.putAll(async (put) => {
      await put([{ id: 4n, name: 'n' }], 'leave');
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    expect(reports.events).toEqual({ 'plant.created': 3, 'plant.updated': 1 });
    expect(await store.events.head()).toBe(4n);
  });
});

import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test';
import { SQL } from 'bun';
import { startPruning } from '../../src/events/prune.ts';
import { createLog } from '../../src/log.ts';
import type { Store } from '../../src/store/store.ts';
import { createMetrics } from '../../src/telemetry/metrics.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';
import { attemptNew } from '../support/webhooks/attempts.ts';

const dayMs = 86_400_000;
let store: Store;
let stop: (() => Promise<void>) | undefined;
onBothEngines(() => {
  beforeEach(async () => {
    store = await openTestStore();
  });
  afterEach(async () => {
    setSystemTime();
    await stop?.();
    await store.close();
  });

  const create = (first: number, count: number): Promise<unknown> =>
    store.plants.putAll((put) =>
      put(
        Array.from({ length: count }, (_, n) => ({ id: BigInt(first + n), name: 'n' })),
        'leave',
      ),
    );

  /** The events of the store, and a wait until they were pruned several times more. */
  const countPrunes = () => {
    let prunes = 0;
    const prune: Store['events']['prune'] = (...limits) => {
      prunes += 1;
      return store.events.prune(...limits);
    };
    const severalPrunes = (): Promise<void> => {
      const before = prunes;
      return until(() => prunes > before + 3);
    };
    return { events: { ...store.events, prune }, severalPrunes };
  };

  const left = async (): Promise<number> => (await store.events.list({ limit: 1000 })).length;

  test('old events are removed in batches and counted, and so are events that become old later', async () => {
    let nowMs = Date.now();
    await create(1, 900);
    const metrics = createMetrics();
    const { events, severalPrunes } = countPrunes();
    const options = { events, retentionMs: dayMs, log: createLog('silent'), metrics, everyMs: 1 };
    setSystemTime(new Date(nowMs + 10 * dayMs));
    stop = startPruning({ ...options, clock: { nowMs: () => nowMs } });
    await severalPrunes();
    expect(await left()).toBe(900);
    nowMs += 2 * dayMs;
    await until(async () => (await left()) === 1);
    setSystemTime(new Date(nowMs));
    await create(1001, 10);
    // The newest event is never removed, and the last old event is no longer the newest.
    await until(async () => (await left()) === 10);
    await severalPrunes();
    expect(await left()).toBe(10);
    nowMs += 2 * dayMs;
    setSystemTime(new Date(nowMs));
    await until(async () => (await left()) === 1);
    await stop();
    expect(metrics.prunedRows.lines()).toEqual(['plant_store_pruned_rows_total 909\n']);
  });

  test('the deliveries of removed events are removed with them, including those to deleted webhooks', async () => {
    await using database = await createTestDatabase();
    await store.close();
    store = await openTestStore(database.url);
    await using sql = new SQL(database.url.replace(/^\//, 'sqlite:///'));
    const add = () => store.webhooks.create({ url: 'https://example.com/', events: ['plant.created'], secret: 's' });
    const webhooks = [await add(), await add()];
    await create(1, 3);
    for (const webhook of webhooks)
      await attemptNew(store, webhook, { at: '2026-01-01T00:00:00.000Z', durationMs: 1, status: 204 });
    await store.webhooks.delete(webhooks[0]?.id ?? '');
    const rows = async () => (await sql`SELECT webhook_id FROM deliveries`).length;
    expect(await rows()).toBe(6);
    expect(await store.events.prune('9999-01-01T00:00:00.000Z', 100)).toBe(2);
    expect(await rows()).toBe(2);
  });

  test('no event is removed too early if the system clock is or was ahead', async () => {
    const startMs = Date.now();
    await create(1, 10);
    const { events, severalPrunes } = countPrunes();
    const options = { events, retentionMs: dayMs, log: createLog('silent'), everyMs: 1 };
    // The monotonic clock started with a wrong time, and the system clock was corrected later.
    stop = startPruning({ ...options, clock: { nowMs: () => startMs + 100 * dayMs } });
    await severalPrunes();
    expect(await left()).toBe(10);
  });
});

import { afterEach, beforeEach, expect, setSystemTime, test } from 'bun:test';
import { startPruning } from '../src/jobs/prune.ts';
import { createLog } from '../src/log.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import type { Store } from '../src/store/store.ts';

const dayMs = 86_400_000;
let store: Store;
let stop: (() => Promise<void>) | undefined;
beforeEach(() => {
  store = openSqliteStore(':memory:');
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

const left = async (): Promise<number> => (await store.events.list({ limit: 1000 })).length;

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await Bun.sleep(2);
};

test('old events go, in as many batches as it takes, and again when more have become old', async () => {
  let nowMs = Date.now();
  await create(1, 900);
  const options = { events: store.events, retentionMs: dayMs, log: createLog('silent'), everyMs: 1 };
  setSystemTime(new Date(nowMs + 10 * dayMs));
  stop = startPruning({ ...options, clock: { nowMs: () => nowMs } });
  await Bun.sleep(20);
  expect(await left()).toBe(900);
  nowMs += 2 * dayMs;
  await until(async () => (await left()) === 1);
  setSystemTime(new Date(nowMs));
  await create(1001, 10);
  await Bun.sleep(20);
  expect(await left()).toBe(10);
  nowMs += 2 * dayMs;
  setSystemTime(new Date(nowMs));
  await until(async () => (await left()) === 1);
});

test('a clock of the system that is ahead removes nothing too early, nor does one that was', async () => {
  const startMs = Date.now();
  await create(1, 10);
  const options = { events: store.events, retentionMs: dayMs, log: createLog('silent'), everyMs: 1 };
  // The steady clock started with a wrong time; the system's has been put right since.
  stop = startPruning({ ...options, clock: { nowMs: () => startMs + 100 * dayMs } });
  await Bun.sleep(20);
  expect(await left()).toBe(10);
});

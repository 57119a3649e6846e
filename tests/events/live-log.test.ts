import { expect, test } from 'bun:test';
import { createLiveLog, gatherMsFor } from '../../src/events/live-log.ts';
import type { EventStore } from '../../src/events/store.ts';
import { openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';

test('streams share a read of the log, and a stream that is ahead of it gets later events', async () => {
  const store = await openTestStore();
  const write = async (from: bigint, to: bigint): Promise<void> => {
    for (let id = from; id <= to; id += 1n) await store.plants.create({ id, name: 'n' });
  };
  await write(1n, 5n);
  const isReleased = Promise.withResolvers<void>();
  let streamReads = 0;
  const read: EventStore['read'] = async (after, limit) => {
    const events = await store.events.read(after, limit);
    // The follower begins to read at the end of the log.
    if (after === 0n) streamReads += 1;
    if (after === 0n && streamReads === 1) await isReleased.promise;
    return events;
  };
  const live = createLiveLog({
    store: { events: { ...store.events, read }, onNew: () => () => {} },
    streams: () => 1,
    onFailure: () => {},
  });
  live.start(5n);
  const reads = [live.read(3n)];
  await until(() => streamReads === 1);
  await write(6n, 10n);
  live.stop();
  live.start(10n);
  reads.push(live.read(7n));
  isReleased.resolve();
  const [earlier, later] = await Promise.all(reads);
  expect([earlier?.from, earlier?.to]).toEqual([0n, 5n]);
  expect([later?.from, later?.to]).toEqual([0n, 10n]);
  live.stop();
});

test.each([
  [1, 5],
  [100, 8],
  [500, 40],
  [1000, 50],
])('with %d streams, events are collected for %d ms', (streams, ms) => {
  expect(gatherMsFor(streams)).toBe(ms);
});

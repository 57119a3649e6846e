import { afterEach, beforeEach, expect, test } from 'bun:test';
import { plantEventTypes } from '../../src/events/event.ts';
import type { EventStore } from '../../src/events/store.ts';
import { readMax } from '../../src/sender/lane.ts';
import { createLogPages, type LogPages } from '../../src/sender/log-pages.ts';
import type { Store } from '../../src/store/store.ts';
import { onBothEngines, openTestStore } from '../support/store/engines.ts';

let store: Store;
onBothEngines(() => {
  beforeEach(async () => {
    store = await openTestStore();
  });
  afterEach(() => store.close());

  const createPlants = async (count: number, first = 1): Promise<void> => {
    const ids = Array.from({ length: count }, (_, index) => BigInt(first + index));
    await Promise.all(ids.map((id) => store.plants.create({ id, name: 'n' })));
  };

  /** The pages, and the positions of the reads of the store. */
  const createCounted = (): LogPages & { readonly reads: bigint[] } => {
    const reads: bigint[] = [];
    const read: EventStore['read'] = (after, ...rest) => {
      reads.push(after);
      return store.events.read(after, ...rest);
    };
    return { ...createLogPages({ read }), reads };
  };

  const sequences = async (pages: LogPages, after: bigint): Promise<number[]> =>
    (await pages.read(after, plantEventTypes)).events.map(({ sequence }) => Number(sequence));

  test('a full page is read once, and the page at the end again after each iteration', async () => {
    await createPlants(readMax + 1);
    const pages = createCounted();
    const first = await pages.read(0n, plantEventTypes);
    expect(await sequences(pages, first.readTo)).toEqual([readMax + 1]);
    expect(await sequences(pages, first.readTo)).toEqual([readMax + 1]);
    await createPlants(1, readMax + 2);
    pages.drop('end');
    expect(await pages.read(0n, plantEventTypes)).toBe(first);
    expect(await sequences(pages, first.readTo)).toEqual([readMax + 1, readMax + 2]);
    expect(pages.reads).toEqual([0n, first.readTo, first.readTo]);
    pages.drop('all');
    expect(await pages.read(0n, plantEventTypes)).toEqual(first);
    expect(pages.reads).toHaveLength(4);
  });

  test('lanes of other types have their own pages', async () => {
    await createPlants(1);
    const pages = createCounted();
    expect((await pages.read(0n, ['plant.deleted'])).events).toEqual([]);
    expect(await sequences(pages, 0n)).toEqual([1]);
  });

  test('only the last pages are kept', async () => {
    await createPlants(12);
    const pages = createCounted();
    for (const after of [0n, 1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n]) await pages.read(after, plantEventTypes);
    await pages.read(8n, plantEventTypes);
    expect(pages.reads).toHaveLength(9);
    await pages.read(0n, plantEventTypes);
    expect(pages.reads).toHaveLength(10);
  });
});

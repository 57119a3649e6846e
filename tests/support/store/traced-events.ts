import { expect } from 'bun:test';
import { withTrace } from '../../../src/base/trace-context.ts';
import type { Store } from '../../../src/store/store.ts';

/** An event of a database from the time before events had a `traceparent`. */
export const insertUntracedEvent = `INSERT INTO events VALUES (1, 'plant.created', '2026-01-01T00:00:00.000Z', 1, 'n', NULL)`;

/** Checks that this event has no trace, and that the next one keeps its own. Closes the store. */
export const expectTracesFromNowOn = async (store: Store): Promise<void> => {
  await withTrace('trace', () => store.plants.create({ id: 2n, name: 'n' }));
  const { events } = await store.events.read(0n, 10);
  expect(events).toEqual([
    { sequence: 1n, type: 'plant.created', timestamp: '2026-01-01T00:00:00.000Z', id: 1n, name: 'n' },
    { sequence: 2n, type: 'plant.created', timestamp: expect.any(String), id: 2n, name: 'n', traceparent: 'trace' },
  ]);
  await store.close();
};

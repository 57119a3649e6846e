/** The contract of both engines for events. Every test runs on a new store. */
import { expect, test } from 'bun:test';
import { int64Max, int64Min } from '../../src/base/int64.ts';
import { withTrace } from '../../src/base/trace-context.ts';
import { eventIdOf, type PlantEventType, plantEventTypes } from '../../src/events/event.ts';
import type { Store } from '../../src/store/store.ts';
import { onEveryEngine } from '../support/store/engines.ts';

let store: Store;

const all = (after?: string) => store.events.list({ limit: 1000, ...(after !== undefined && { after }) });

/** Removes all events except the newest. */
const pruneAll = () => store.events.prune('9999-01-01T00:00:00.000Z', 1000);

const use = (fresh: Store): void => {
  store = fresh;
};

onEveryEngine(use, () => {
  test('each change of a plant has an event, in order, with a sequence that increases by one', async () => {
    const created = await store.plants.create({ id: int64Max, name: 'n', tag: 't' });
    const updated = await store.plants.update(int64Max, { tag: null });
    await store.plants.create({ id: int64Min, name: '' });
    await store.plants.delete(int64Max);
    expect(await all()).toEqual([
      { sequence: 1n, type: 'plant.created', timestamp: created.createdAt, id: int64Max, name: 'n', tag: 't' },
      { sequence: 2n, type: 'plant.updated', timestamp: updated.updatedAt, id: int64Max, name: 'n' },
      { sequence: 3n, type: 'plant.created', timestamp: expect.any(String), id: int64Min, name: '' },
      { sequence: 4n, type: 'plant.deleted', timestamp: expect.any(String), id: int64Max },
    ]);
  });

  test('the head is the sequence of the newest event, also after older ones were removed', async () => {
    expect(await store.events.head()).toBe(0n);
    await store.plants.create({ id: 1n, name: 'n' });
    await store.plants.delete(1n);
    expect(await store.events.head()).toBe(2n);
    await pruneAll();
    expect(await store.events.head()).toBe(2n);
  });

  const traceOf = (id: string): string => `00-${id.repeat(32)}-${id.repeat(16)}-01`;

  test('an event has the traceparent of the request that caused it, also among requests without one', async () => {
    await Promise.all([
      withTrace(traceOf('1'), () => store.plants.create({ id: 1n, name: 'n' })),
      withTrace(traceOf('2'), () => store.plants.create({ id: 2n, name: 'n', tag: 't' })),
      store.plants.create({ id: 3n, name: 'n' }),
      withTrace(traceOf('9'), () => store.plants.create({ id: 1n, name: 'n' })),
    ]);
    await Promise.all([
      withTrace(traceOf('3'), () => store.plants.update(2n, { tag: null })),
      withTrace(traceOf('4'), () => store.plants.delete(1n)),
      withTrace(traceOf('5'), () => store.plants.create({ id: 1n, name: 'again' })),
      store.plants.update(3n, { tag: 't' }),
    ]);
    const events = await all();
    expect(events.map(({ type, id, traceparent }) => [type, id, traceparent])).toEqual([
      ['plant.created', 1n, traceOf('1')],
      ['plant.created', 2n, traceOf('2')],
      ['plant.created', 3n, undefined],
      ['plant.updated', 2n, traceOf('3')],
      ['plant.deleted', 1n, traceOf('4')],
      ['plant.created', 1n, traceOf('5')],
      ['plant.updated', 3n, undefined],
    ]);
    expect(events[2]).not.toHaveProperty('traceparent');
    expect((await store.events.read(0n, 10)).events).toEqual(events);
  });

  test('a read of some types has their events in order, and ends at the newest event of any type', async () => {
    for (const id of [1n, 2n, 3n]) await store.plants.create({ id, name: 'n' });
    await store.plants.delete(1n);
    await store.plants.update(2n, { name: 'm' });
    await store.plants.delete(2n);
    await store.plants.create({ id: 4n, name: 'n' });
    const log = await all();
    const read = async (types: readonly PlantEventType[], after = 0n, limit = 100) => {
      const { events, last, ...rest } = await store.events.read(after, limit, types);
      expect(last?.sequence ?? after).toBe(rest.readTo);
      if (last) expect(last).toEqual(log[Number(last.sequence) - 1] ?? last);
      expect(events).toEqual(log.filter(({ sequence }) => events.some((event) => event.sequence === sequence)));
      return { ...rest, sequences: events.map(({ sequence }) => sequence) };
    };
    const start = { readFrom: 0n, readTo: 7n, hasMore: false };
    expect(await read(['plant.deleted'])).toEqual({ ...start, sequences: [4n, 6n] });
    expect(await read(['plant.updated', 'plant.deleted'])).toEqual({ ...start, sequences: [4n, 5n, 6n] });
    expect(await read(['plant.created', 'plant.deleted'], 0n, 4)).toEqual({
      ...start,
      sequences: [1n, 2n, 3n, 4n],
      readTo: 4n,
      hasMore: true,
    });
    expect(await read(['plant.updated'], 5n)).toEqual({ ...start, readFrom: 5n, sequences: [] });
    expect(await read(['plant.updated'], 7n)).toEqual({ ...start, readFrom: 7n, sequences: [] });
    await store.events.prune('9999-01-01T00:00:00.000Z', 4);
    expect(await read(['plant.deleted'], 2n)).toEqual({ ...start, readFrom: 4n, sequences: [6n] });
    expect(await read(plantEventTypes, 2n)).toEqual({ ...start, readFrom: 4n, sequences: [5n, 6n, 7n] });
  });

  test('a command that changes nothing has no event', async () => {
    await store.plants.create({ id: 1n, name: 'n' });
    await store.plants.create({ id: 1n, name: 'n' });
    await store.plants.update(1n, { name: 'n', tag: null });
    for (const refused of [
      () => store.plants.create({ id: 1n, name: 'other' }),
      () => store.plants.update(2n, { name: 'm' }),
      () => store.plants.update(1n, { name: 'm' }, ['x']),
      () => store.plants.delete(2n),
      () => store.plants.delete(1n, ['x']),
    ]) {
      await expect(refused()).rejects.toHaveProperty('code');
    }
    expect(await all()).toHaveLength(1);
  });

  test('imported plants have events, and none when the import is rolled back', async () => {
    const createdAt = '2020-01-01T00:00:00.000Z';
    await store.plants.create({ id: 1n, name: 'n' });
    await store.plants.putAll(async (put) => {
      await put([{ id: 1n, name: 'n' }], 'replace');
      await put([{ id: 1n, name: 'm' }], 'leave');
      await put([{ id: 2n, name: 'two', createdAt, updatedAt: createdAt }], 'leave');
      await put([{ id: 1n, name: 'm', tag: 't' }], 'replace');
    });
    const filling = store.plants.putAll(async (put) => {
      await put([{ id: 3n, name: 'n' }], 'leave');
      throw new Error('no');
    });
    await expect(filling).rejects.toThrow('no');
    const events = await all();
    expect(events).toMatchObject([
      { type: 'plant.created', id: 1n },
      { type: 'plant.created', id: 2n, name: 'two' },
      { type: 'plant.updated', id: 1n, name: 'm', tag: 't' },
    ]);
    // An event has the time of the import, not the time of the plant in the file.
    expect(events.every(({ timestamp }) => timestamp > createdAt)).toBe(true);
    expect(events.some((event) => 'traceparent' in event)).toBe(false);
  });

  test('events are listed after a cursor, of one type, up to a limit', async () => {
    for (let id = 1n; id <= 3n; id += 1n) {
      await store.plants.create({ id, name: 'n' });
      await store.plants.delete(id);
    }
    const [, second] = await all();
    const after = second ? eventIdOf(second) : '';
    const sequences = async (page: Parameters<Store['events']['list']>[0]) =>
      (await store.events.list(page)).map(({ sequence }) => Number(sequence));
    expect(await sequences({ limit: 4 })).toEqual([1, 2, 3, 4]);
    expect(await sequences({ limit: 2, after })).toEqual([3, 4]);
    expect(await sequences({ limit: 10, type: 'plant.deleted' })).toEqual([2, 4, 6]);
    expect(await sequences({ limit: 1, after, type: 'plant.created' })).toEqual([3]);
    expect(await sequences({ limit: 10, after, type: 'plant.updated' })).toEqual([]);
  });

  test('events are listed newest first, before a cursor, of one type, up to a limit', async () => {
    for (let id = 1n; id <= 3n; id += 1n) {
      await store.plants.create({ id, name: 'n' });
      await store.plants.delete(id);
    }
    const events = await all();
    const after = events[3] ? eventIdOf(events[3]) : '';
    const sequences = async (page: Parameters<Store['events']['list']>[0]) =>
      (await store.events.list({ ...page, isNewestFirst: true })).map(({ sequence }) => Number(sequence));
    expect(await sequences({ limit: 4 })).toEqual([6, 5, 4, 3]);
    expect(await sequences({ limit: 2, after })).toEqual([3, 2]);
    expect(await sequences({ limit: 10, type: 'plant.deleted' })).toEqual([6, 4, 2]);
    expect(await sequences({ limit: 1, after, type: 'plant.created' })).toEqual([3]);
    expect(await sequences({ limit: 10, after, type: 'plant.updated' })).toEqual([]);
    await expect(sequences({ limit: 1, after: `${after.slice(0, -1)}!` })).rejects.toMatchObject({
      code: 'invalid_cursor',
    });
    // What was removed is older than each event that is kept.
    await store.events.prune('9999-01-01T00:00:00.000Z', 3);
    expect(await sequences({ limit: 10 })).toEqual([6, 5, 4]);
    expect(await sequences({ limit: 10, after })).toEqual([]);
  });

  test('the list after the newest event is empty', async () => {
    await store.plants.create({ id: 1n, name: 'n' });
    const [event] = await all();
    const after = event ? eventIdOf(event) : '';
    expect(await all(after)).toEqual([]);
    await store.plants.delete(1n);
    expect(await all(after)).toMatchObject([{ sequence: 2n }]);
  });

  test('a cursor that is not the id of an event of this store is refused', async () => {
    await expect(all('evt_1_0123456789abcdef')).rejects.toMatchObject({ code: 'invalid_cursor' });
    await store.plants.create({ id: 1n, name: 'n' });
    const [event] = await all();
    const id = event ? eventIdOf(event) : '';
    const other = id.slice(0, -1) + (id.endsWith('A') ? 'B' : 'A');
    for (const cursor of ['', 'x', `${id}x`, other, id.replace('evt_1_', 'evt_2_'), id.replace('evt_1_', 'evt_0_')]) {
      await expect(all(cursor)).rejects.toMatchObject({ code: 'invalid_cursor' });
    }
  });

  test('pruning removes the oldest events, up to a time, and never the newest', async () => {
    for (let id = 1n; id <= 5n; id += 1n) await store.plants.create({ id, name: 'n' });
    const events = await all();
    expect(await store.events.prune('2000-01-01T00:00:00.000Z', 100)).toBe(0);
    expect(await store.events.prune('9999-01-01T00:00:00.000Z', 2)).toBe(2);
    expect(await all()).toEqual(events.slice(2));
    expect(await pruneAll()).toBe(2);
    expect(await pruneAll()).toBe(0);
    expect(await all()).toEqual(events.slice(4));
    await store.plants.create({ id: 6n, name: 'n' });
    expect(await all()).toMatchObject([{ sequence: 5n }, { sequence: 6n }]);
  });

  test('a cursor is refused as expired when events after it were pruned', async () => {
    for (let id = 1n; id <= 4n; id += 1n) await store.plants.create({ id, name: 'n' });
    const events = await all();
    const ids = events.map((event) => eventIdOf(event));
    await store.events.prune('9999-01-01T00:00:00.000Z', 2);
    await expect(all(ids[0])).rejects.toMatchObject({ code: 'cursor_expired' });
    // The second event is removed, but no event after it.
    expect(await all(ids[1])).toEqual(events.slice(2));
    expect(await all(ids[2])).toEqual(events.slice(3));
  });
});

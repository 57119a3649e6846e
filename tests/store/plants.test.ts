/** The contract of both engines for plants. Every test runs on a new store. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { int64Max, int64Min } from '../../src/base/int64.ts';
import type { PlantPlace } from '../../src/plants/order.ts';
import type { PlantPage } from '../../src/plants/paging.ts';
import { plantToJson, versionOf } from '../../src/plants/plant.ts';
import type { Store } from '../../src/store/store.ts';
import { engines } from '../support/store/engines.ts';
import { listPlants } from '../support/store/plant-list.ts';
import { nextMillisecond } from '../support/until.ts';

let folder: string;
let store: Store;

/** The place of an id in a list by id. */
const at = (id: bigint): PlantPlace => ({ id });
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

describe.each(engines)('$name', ({ open }) => {
  beforeEach(async () => {
    store = await open(folder);
  });

  test('a created plant is found unchanged', async () => {
    for (const id of [int64Min, -1n, 0n, 1n, 2n ** 53n + 1n, int64Max]) {
      const created = await store.plants.create({ id, name: `n${id}`, tag: '' });
      expect(created).toMatchObject({ id, name: `n${id}`, tag: '' });
      expect(await store.plants.get(id)).toEqual(created);
    }
  });

  test('a plant without a tag has no tag member', async () => {
    const created = await store.plants.create({ id: 1n, name: 'n' });
    expect(Object.keys(created)).toEqual(['id', 'name', 'createdAt', 'updatedAt']);
    expect(await store.plants.get(1n)).toEqual(created);
  });

  test('the lookup of a plant that was never created resolves to undefined', async () => {
    expect(await store.plants.get(1n)).toBeUndefined();
  });

  test('a read issued with a write sees all of it or none, and delays no write', async () => {
    const creating = store.plants.create({ id: 1n, name: 'n' });
    const seen = await store.plants.get(1n);
    const created = await creating;
    expect([undefined, created]).toContainEqual(seen);
    expect(await store.plants.get(1n)).toEqual(created);
  });

  test('creating the same plant again resolves to the existing record', async () => {
    const first = await store.plants.create({ id: 1n, name: 'n', tag: 't' });
    await nextMillisecond();
    expect(await store.plants.create({ id: 1n, name: 'n', tag: 't' })).toEqual(first);
  });

  test('creating another plant with a taken id rejects, and changes nothing', async () => {
    const first = await store.plants.create({ id: 1n, name: 'n' });
    for (const other of [{ name: 'm' }, { name: 'n', tag: '' }]) {
      await expect(store.plants.create({ id: 1n, ...other })).rejects.toMatchObject({ code: 'id_taken' });
    }
    expect(await store.plants.get(1n)).toEqual(first);
  });

  test('plants are listed by ascending id, after an id, with a tag, up to a limit', async () => {
    for (const [id, tag] of [
      [int64Max, 'a'],
      [3n, 'a'],
      [int64Min, 'b'],
      [0n, undefined],
      [-3n, 'a'],
    ] as const) {
      await store.plants.create({ id, name: 'n', ...(tag !== undefined && { tag }) });
    }
    const ids = async (page: PlantPage) => (await listPlants(store, page)).map(({ id }) => id);
    expect(await ids({ limit: 10 })).toEqual([int64Min, -3n, 0n, 3n, int64Max]);
    expect(await ids({ limit: 2 })).toEqual([int64Min, -3n]);
    expect(await ids({ limit: 2, after: at(-3n) })).toEqual([0n, 3n]);
    expect(await ids({ limit: 10, after: at(-2n) })).toEqual([0n, 3n, int64Max]);
    expect(await ids({ limit: 10, after: at(int64Max) })).toEqual([]);
    expect(await ids({ limit: 10, after: at(int64Min) })).toEqual([-3n, 0n, 3n, int64Max]);
    expect(await ids({ limit: 10, tags: ['a'] })).toEqual([-3n, 3n, int64Max]);
    expect(await ids({ limit: 1, tags: ['a'], after: at(-3n) })).toEqual([3n]);
    expect(await ids({ limit: 10, tags: ['A'] })).toEqual([]);
    expect(await store.plants.count()).toBe(5);
  });

  test('a page has its last id while there is another page', async () => {
    for (const id of [1n, 2n, 3n]) await store.plants.create({ id, name: 'n', tag: id === 2n ? 'b' : 'a' });
    const endOf = async (page: PlantPage) => (await store.plants.list(page)).end;
    expect(await endOf({ limit: 1 })).toEqual(at(1n));
    expect(await endOf({ limit: 2 })).toEqual(at(2n));
    expect(await endOf({ limit: 3 })).toBeUndefined();
    expect(await endOf({ limit: 4 })).toBeUndefined();
    expect(await endOf({ limit: 2, after: at(1n) })).toBeUndefined();
    expect(await endOf({ limit: 1, tags: ['a'] })).toEqual(at(1n));
    expect(await endOf({ limit: 2, tags: ['a'] })).toBeUndefined();
    expect(await endOf({ limit: 1, tags: ['b'] })).toBeUndefined();
    expect(await endOf({ limit: 1, tags: ['c'] })).toBeUndefined();
  });

  test('a list has the same JSON as its plants, for all characters', async () => {
    const controls = String.fromCodePoint(...Array.from({ length: 0x9f }, (_, index) => index + 1));
    const names = [controls, '"\\/', '\u2028\u2029\ufeff\ufffe\uffff', '🪴\ud7ff\ue000', '', '{"a":[1]}', 'null'];
    const records = [];
    for (const [index, name] of names.entries()) {
      const tags = [{}, { tag: '' }, { tag: name.slice(0, 100) }];
      for (const [place, tag] of tags.entries())
        records.push(await store.plants.create({ id: BigInt(index * tags.length + place), name, ...tag }));
    }
    for (const id of [int64Max, BigInt(Number.MAX_SAFE_INTEGER) + 2n]) {
      records.push(await store.plants.create({ id, name: 'n' }));
      records.unshift(await store.plants.create({ id: -id, name: 'n', tag: 'a' }));
    }
    const { json } = await store.plants.list({ limit: 1000 });
    const inOrder = records.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(new TextDecoder().decode(json)).toBe(JSON.stringify(inOrder.map(plantToJson)));
  });

  test('a patch changes the members that it names, and the time of the plant', async () => {
    const before = await store.plants.create({ id: 1n, name: 'n', tag: 't' });
    await nextMillisecond();
    const after = await store.plants.update(1n, { name: 'm', tag: null });
    expect(after).toEqual({ id: 1n, name: 'm', createdAt: before.createdAt, updatedAt: after.updatedAt });
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(await store.plants.get(1n)).toEqual(after);
    expect(await store.plants.update(1n, { tag: '' })).toMatchObject({ name: 'm', tag: '' });
  });

  test('a patch that changes nothing keeps the record and its time', async () => {
    const before = await store.plants.create({ id: 1n, name: 'n' });
    await nextMillisecond();
    for (const patch of [{}, { name: 'n' }, { tag: null }])
      expect(await store.plants.update(1n, patch)).toEqual(before);
  });

  test('a deleted plant is not found, and its id is free', async () => {
    await store.plants.create({ id: 1n, name: 'n' });
    await store.plants.delete(1n);
    expect(await store.plants.get(1n)).toBeUndefined();
    await expect(store.plants.delete(1n)).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.plants.update(1n, {})).rejects.toMatchObject({ code: 'not_found' });
    expect(await store.plants.create({ id: 1n, name: 'm' })).toMatchObject({ name: 'm' });
  });

  test('a condition with another version changes and removes nothing', async () => {
    const record = await store.plants.create({ id: 1n, name: 'n' });
    for (const versions of [[], ['x']]) {
      await expect(store.plants.update(1n, { name: 'm' }, versions)).rejects.toMatchObject({
        code: 'precondition_failed',
      });
      await expect(store.plants.delete(1n, versions)).rejects.toMatchObject({ code: 'precondition_failed' });
    }
    expect(await store.plants.get(1n)).toEqual(record);
    await store.plants.update(1n, { name: 'm' }, ['x', versionOf(record)]);
    await expect(store.plants.delete(1n, [versionOf(record)])).rejects.toMatchObject({ code: 'precondition_failed' });
  });

  test('an import resolves to the outcome of each plant', async () => {
    const existing = await store.plants.create({ id: 1n, name: 'n' });
    const createdAt = '2020-01-01T00:00:00.000Z';
    const plants = [
      { id: 1n, name: 'n' },
      { id: 2n, name: 'two', tag: 't', createdAt, updatedAt: createdAt },
      { id: 2n, name: 'three' },
    ];
    expect(await store.plants.putAll((put) => put(plants, 'leave'))).toEqual(['unchanged', 'created', 'taken']);
    expect(await store.plants.get(1n)).toEqual(existing);
    expect(await store.plants.get(2n)).toEqual({ id: 2n, name: 'two', tag: 't', createdAt, updatedAt: createdAt });
    expect(await store.plants.putAll((put) => put(plants.slice(2), 'replace'))).toEqual(['replaced']);
    const replaced = await store.plants.get(2n);
    expect(replaced).toMatchObject({ name: 'three', createdAt });
    expect(replaced?.tag).toBeUndefined();
    expect((replaced?.updatedAt ?? '') > createdAt).toBe(true);
  });

  test('a failed import keeps none of its plants', async () => {
    const fill = store.plants.putAll(async (put) => {
      await put([{ id: 1n, name: 'n' }], 'leave');
      throw new Error('no');
    });
    await expect(fill).rejects.toThrow('no');
    expect(await store.plants.count()).toBe(0);
    await store.plants.create({ id: 1n, name: 'n' });
  });

  test('a scan reads all plants by ascending id', async () => {
    const ids = Array.from({ length: 2500 }, (_, n) => BigInt(n * 7 - 9000));
    await store.plants.putAll((put) =>
      put(
        ids.map((id) => ({ id, name: 'n' })),
        'leave',
      ),
    );
    await store.plants.create({ id: int64Max, name: 'last' });
    await store.plants.create({ id: int64Min, name: 'first' });
    const read: bigint[] = [];
    for await (const records of store.plants.scan()) read.push(...records.map(({ id }) => id));
    expect(read).toEqual([int64Min, ...ids, int64Max]);
  });
});

describe.each(engines.filter(({ isConcurrent }) => isConcurrent))('$name, while others write', ({ open }) => {
  beforeEach(async () => {
    store = await open(folder);
  });

  test('a scan reads all plants from one snapshot while others write', async () => {
    const ids = Array.from({ length: 3000 }, (_, n) => BigInt(n));
    await store.plants.putAll((put) =>
      put(
        ids.map((id) => ({ id, name: 'n' })),
        'leave',
      ),
    );
    const read: bigint[] = [];
    for await (const records of store.plants.scan()) {
      if (read.length === 0) {
        await store.plants.delete(2999n);
        await store.plants.create({ id: 5000n, name: 'late' });
        await store.plants.update(2000n, { name: 'changed' });
      }
      read.push(...records.map(({ id }) => id));
      expect(records.every(({ name }) => name === 'n')).toBe(true);
    }
    expect(read).toEqual(ids);
  });

  test('the plants of an import are visible only after its commit', async () => {
    await store.plants.putAll(async (put) => {
      await put([{ id: 1n, name: 'n' }], 'leave');
      expect(await store.plants.get(1n)).toBeUndefined();
    });
    expect(await store.plants.get(1n)).toMatchObject({ name: 'n' });
  });
});

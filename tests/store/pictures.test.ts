/** The contract of both engines for pictures. Every test runs on a new store. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { versionOfPicture } from '../../src/pictures/picture.ts';
import { versionOf } from '../../src/plants/plant.ts';
import type { Store } from '../../src/store/store.ts';
import { fileOf } from '../support/pictures/pictures.ts';
import { engines } from '../support/store/engines.ts';
import { nextMillisecond } from '../support/until.ts';

const [png, jpg] = ['leaf.png', 'leaf.jpg'].map(fileOf) as [ReturnType<typeof fileOf>, ReturnType<typeof fileOf>];
const versions = [png, jpg].map(({ picture }) => versionOfPicture(picture)) as [string, string];

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const typesOfEvents = async (): Promise<string[]> => (await store.events.list({ limit: 100 })).map(({ type }) => type);

const refused = (code: string) => expect.objectContaining({ code });

describe.each(engines)('$name', ({ open }) => {
  beforeEach(async () => {
    store = await open(folder);
    await store.plants.create({ id: 1n, name: 'Monstera' });
  });

  test('a picture is found unchanged, and its plant has what is known of it', async () => {
    const before = await store.plants.get(1n);
    expect(await store.pictures.get(1n)).toBeUndefined();
    await nextMillisecond();
    expect(await store.pictures.put(1n, png, {})).toBe(true);
    const found = await store.pictures.get(1n);
    expect(found?.picture).toEqual(png.picture);
    expect(Buffer.from(found?.content ?? []).equals(png.content)).toBe(true);
    const after = await store.plants.get(1n);
    expect(after).toEqual({ ...before, updatedAt: expect.any(String), picture: png.picture } as never);
    expect((after?.updatedAt ?? '') > (before?.updatedAt ?? '')).toBe(true);
    expect(after && versionOf(after)).not.toBe(before && versionOf(before));
    expect((await store.plants.find({ limit: 10 })).plants).toEqual([after] as never);
    expect(JSON.parse(Buffer.from((await store.plants.list({ limit: 10 })).json).toString())).toEqual([
      { ...after, id: 1, tag: undefined },
    ]);
    const [, event] = await store.events.list({ limit: 10 });
    expect(event).toMatchObject({ type: 'plant.picture.updated', id: 1n, picture: png.picture });
    expect(event?.timestamp).toBe(after?.updatedAt);
  });

  test('a second picture replaces the first one, and the same bytes change nothing', async () => {
    await store.pictures.put(1n, png, {});
    expect(await store.pictures.put(1n, jpg, {})).toBe(false);
    expect(Buffer.from((await store.pictures.get(1n))?.content ?? []).equals(jpg.content)).toBe(true);
    const after = await store.plants.get(1n);
    expect(await store.pictures.put(1n, jpg, {})).toBe(false);
    expect(await store.plants.get(1n)).toEqual(after);
    expect(await typesOfEvents()).toEqual(['plant.created', 'plant.picture.updated', 'plant.picture.updated']);
  });

  test('a deletion removes the picture, with an event, and a second one is refused', async () => {
    await store.pictures.put(1n, png, {});
    await store.pictures.delete(1n, {});
    expect(await store.pictures.get(1n)).toBeUndefined();
    expect((await store.plants.get(1n))?.picture).toBeUndefined();
    expect((await store.events.list({ limit: 10 })).at(-1)).toMatchObject({
      type: 'plant.picture.deleted',
      id: 1n,
      picture: png.picture,
    });
    expect(await store.pictures.delete(1n, {}).catch((error) => error)).toEqual(refused('not_found'));
    expect(await typesOfEvents()).toHaveLength(3);
  });

  test('the picture goes with its plant, and a new plant with the id has none', async () => {
    await store.pictures.put(1n, png, {});
    await store.plants.delete(1n);
    expect(await store.pictures.get(1n)).toBeUndefined();
    await store.plants.create({ id: 1n, name: 'Monstera' });
    expect(await store.pictures.get(1n)).toBeUndefined();
    expect(await store.plants.get(1n)).not.toHaveProperty('picture', expect.anything());
    expect(await store.pictures.put(1n, png, {})).toBe(true);
    await Promise.all([store.plants.delete(1n), store.plants.create({ id: 1n, name: 'Ficus' })]);
    expect(await store.plants.get(1n)).toMatchObject({ name: 'Ficus', picture: undefined });
    expect(await store.pictures.get(1n)).toBeUndefined();
  });

  test('changes and imports of the plant keep its picture', async () => {
    await store.pictures.put(1n, png, {});
    await store.plants.update(1n, { name: 'Ficus' });
    expect(await store.plants.get(1n)).toMatchObject({ name: 'Ficus', picture: png.picture });
    const outcomes = await store.plants.putAll((put) => put([{ id: 1n, name: 'Moss' }], 'replace'));
    expect(outcomes).toEqual(['replaced']);
    expect(await store.plants.get(1n)).toMatchObject({ name: 'Moss', picture: png.picture });
    expect((await store.pictures.get(1n))?.picture).toEqual(png.picture);
  });

  test('a plant that does not exist has no picture and gets none', async () => {
    expect(await store.pictures.get(2n)).toBeUndefined();
    for (const change of [store.pictures.put(2n, png, {}), store.pictures.delete(2n, {})])
      expect(await change.catch((error) => error)).toEqual(refused('not_found'));
    expect(await typesOfEvents()).toEqual(['plant.created']);
  });

  test('conditions are checked against the current version', async () => {
    const put = (preconditions: object) => store.pictures.put(1n, jpg, preconditions).catch((error) => error);
    expect(await put({ match: '*' })).toEqual(refused('not_found'));
    expect(await put({ noneMatch: [versions[0]] })).toBe(true);
    expect(await put({ noneMatch: '*' })).toEqual(refused('precondition_failed'));
    expect(await put({ noneMatch: [versions[1]] })).toEqual(refused('precondition_failed'));
    expect(await put({ match: [versions[0]] })).toEqual(refused('precondition_failed'));
    expect(await put({ match: [versions[0], versions[1]] })).toBe(false);
    const remove = (preconditions: object) => store.pictures.delete(1n, preconditions).catch((error) => error);
    expect(await remove({ match: [versions[0]] })).toEqual(refused('precondition_failed'));
    expect(await remove({ match: [versions[1]] })).toBeUndefined();
  });

  test('of many first pictures at once, one is the first', async () => {
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        store.pictures.put(1n, index % 2 === 0 ? png : jpg, { noneMatch: '*' }).catch((error) => error.code),
      ),
    );
    expect(all.filter((outcome) => outcome === true)).toHaveLength(1);
    expect(all.filter((outcome) => outcome === 'precondition_failed')).toHaveLength(19);
    expect(await typesOfEvents()).toHaveLength(2);
  });

  test('a picture of 1 MiB of any bytes is found unchanged', async () => {
    const content = Buffer.alloc(1024 * 1024);
    for (let at = 0; at < content.length; at += 1) content[at] = (at * 7919) >> 3;
    await store.pictures.put(1n, { ...png, content }, {});
    expect(Buffer.from((await store.pictures.get(1n))?.content ?? []).equals(content)).toBe(true);
  });
});

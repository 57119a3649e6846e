/** What any engine must do. Each engine is one row of `engines`; every test runs on a fresh store of its own. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { int64Max, int64Min } from '../src/domain/int64.ts';
import { openSqliteStore } from '../src/store/sqlite/open.ts';
import type { Store } from '../src/store/store.ts';

let folder: string;
let store: Store;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
});
afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const engines: [string, () => Store][] = [
  ['SQLite in memory', () => openSqliteStore(':memory:')],
  ['SQLite in a file', () => openSqliteStore(join(folder, 'plants.sqlite'))],
];

describe.each(engines)('%s', (_engine, open) => {
  beforeEach(() => {
    store = open();
  });

  test('a plant that was created is found, exactly', async () => {
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

  test('a plant that was never created is undefined', async () => {
    expect(await store.plants.get(1n)).toBeUndefined();
  });

  test('the same plant again is the record that is there', async () => {
    const first = await store.plants.create({ id: 1n, name: 'n', tag: 't' });
    await Bun.sleep(2);
    expect(await store.plants.create({ id: 1n, name: 'n', tag: 't' })).toEqual(first);
  });

  test('another plant with a taken id rejects, and changes nothing', async () => {
    const first = await store.plants.create({ id: 1n, name: 'n' });
    for (const other of [{ name: 'm' }, { name: 'n', tag: '' }]) {
      await expect(store.plants.create({ id: 1n, ...other })).rejects.toMatchObject({ code: 'id_taken' });
    }
    expect(await store.plants.get(1n)).toEqual(first);
  });

  test('a token is found by its digest and by no other', async () => {
    const token = await store.tokens.create({ name: 'a', scopes: ['plants:read'], digest: 'd1' });
    expect(await store.tokens.findByDigest('d1')).toEqual(token);
    expect(await store.tokens.findByDigest('D1')).toBeUndefined();
    expect(token).toMatchObject({ name: 'a', scopes: ['plants:read'] });
    expect(token.expiresAt).toBeUndefined();
  });

  test('tokens are listed oldest first, revoked ones too', async () => {
    const first = await store.tokens.create({ name: 'a', scopes: [], digest: 'd1' });
    await Bun.sleep(2);
    const second = await store.tokens.create({
      name: 'b',
      scopes: [],
      digest: 'd2',
      expiresAt: '2027-01-01T00:00:00.000Z',
    });
    expect(await store.tokens.revoke(first.id)).toBe(true);
    const [a, b] = await store.tokens.list();
    expect(a).toMatchObject(first);
    expect(a?.revokedAt).toMatch(/Z$/);
    expect(b).toEqual(second);
  });

  test('revoking again keeps the first time, and of no token is false', async () => {
    const { id } = await store.tokens.create({ name: 'a', scopes: [], digest: 'd1' });
    await store.tokens.revoke(id);
    const before = await store.tokens.findByDigest('d1');
    await Bun.sleep(2);
    expect(await store.tokens.revoke(id)).toBe(true);
    expect(await store.tokens.findByDigest('d1')).toEqual(before);
    expect(await store.tokens.revoke('tok_none')).toBe(false);
  });
});

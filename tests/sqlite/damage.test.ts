/** A database whose pages are damaged, before or while it is in use, and one whose index lacks rows. */
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { AppError, damaged, unreadable, unwritable } from '../../src/base/app-error.ts';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { backup } from '../../src/engines/sqlite-backup.ts';
import { openExclusiveSqlite } from '../../src/engines/sqlite-copy.ts';
import { createDamage } from '../../src/sqlite/damage.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from '../support/folder.ts';
import { damagePagesWith, fillDatabase, unindex } from '../support/store/damaged-file.ts';
import { listPlants } from '../support/store/plant-list.ts';

const createDatabase = async () => {
  const folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  await fillDatabase(database);
  return { ...folder, database };
};

const isDamage = { name: 'AppError', code: 'defect', message: damaged.message };
const rotten = 1500n;

/** Each meets a damaged page first. */
const operations: readonly (readonly [what: string, run: (store: Store) => Promise<unknown>])[] = [
  ['a read', ({ plants }) => plants.get(rotten)],
  ['a change', ({ plants }) => plants.update(rotten, { name: 'changed' })],
  ['a deletion', ({ plants }) => plants.delete(rotten)],
  ['a creation', ({ plants }) => plants.create({ id: rotten, name: 'other' })],
  [
    'one of several changes',
    // SQLite then refuses the others too, until the transaction ends.
    async ({ plants }) => {
      const updates = [1n, rotten].map((id) => plants.update(id, { name: 'changed' }));
      await updates[0]?.catch(() => {});
      await updates[1];
    },
  ],
  ['a read of the log', ({ events }) => events.read(1500n, 100)],
  ['an export', ({ plants }) => Array.fromAsync(plants.scan())],
  ['an import', ({ plants }) => plants.putAll((put) => put([{ id: rotten, name: 'other' }], 'replace'))],
];

test.each(operations)(
  '%s of a damaged page fails as damage; then writes are refused, and intact pages are read',
  async (_, run) => {
    using folder = await createDatabase();
    const store = openSqliteStore(folder.database);
    damagePagesWith(folder.database, 'rotten');
    expect(store.isDamaged()).toBe(false);
    await expect(run(store)).rejects.toMatchObject(isDamage);
    expect(store.isDamaged()).toBe(true);
    await expect(store.plants.create({ id: 5000n, name: 'new' })).rejects.toMatchObject(isDamage);
    expect(await store.plants.get(2n)).toMatchObject({ name: 'sound 2' });
    await store.close();
  },
);

test('a file that is overwritten from its beginning, while it is open, is damaged', async () => {
  using folder = await createDatabase();
  const store = openSqliteStore(folder.database);
  damagePagesWith(folder.database, 'rotten');
  await expect(store.plants.get(rotten)).rejects.toMatchObject(isDamage);
  await store.close();
  damagePagesWith(folder.database, 'sound');
  expect(() => openSqliteStore(folder.database)).toThrow(`Database ${folder.database} is damaged; restore a backup.`);
});

test('a read that fails once is not damage', async () => {
  using folder = await createDatabase();
  const damage = createDamage(folder.database);
  const failed = Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' });
  const fail = (): never => {
    throw failed;
  };
  for (const [during, failure] of [
    ['read', unreadable],
    ['write', unwritable],
  ] as const)
    for (const again of [() => {}, undefined])
      expect(await damage.toAppError(failed, during, again)).toEqual(new AppError(failure, { cause: failed }));
  expect(damage.isFound()).toBe(false);
  expect(await damage.toAppError(failed, 'read', fail)).toMatchObject({ ...isDamage, cause: failed });
  expect(damage.isFound()).toBe(true);
});

test('a file of which the system cannot read all bytes is not damage', async () => {
  using folder = temporaryFolder();
  // A folder opens, and a read of it fails.
  const damage = createDamage(folder.path);
  const failed = Object.assign(new Error('database disk image is malformed'), { code: 'SQLITE_CORRUPT' });
  const again = (): never => {
    throw failed;
  };
  expect(await damage.toAppError(failed, 'read', again)).toMatchObject({ code: 'unavailable' });
  expect(damage.isFound()).toBe(false);
});

test('a backup and a copy of a damaged database name it, and write nothing', async () => {
  using folder = await createDatabase();
  const source = await openExclusiveSqlite(folder.database, { create: false });
  damagePagesWith(folder.database, 'rotten');
  const named = `Database ${folder.database} is damaged; restore a backup.`;
  await expect(Array.fromAsync(source.dump())).rejects.toThrow(named);
  await source[Symbol.asyncDispose]();
  await expect(backup(folder.database, folder.file('copy'), { overwrite: false })).rejects.toThrow(named);
  expect(readdirSync(folder.path).filter((name) => name.startsWith('copy'))).toEqual([]);
});

test('an index that lacks rows is found by a backup and by a deletion, and a copy has all rows', async () => {
  using folder = await createDatabase();
  unindex(folder.database, `rotten ${rotten}`);
  const before = readFileSync(folder.database);
  await expect(backup(folder.database, folder.file('copy'), { overwrite: false })).rejects.toThrow('is damaged');
  expect(readFileSync(folder.database).equals(before)).toBe(true);

  const target = folder.file('target.sqlite');
  await using source = await openExclusiveSqlite(folder.database, { create: false });
  await using empty = await openExclusiveSqlite(target, { create: true });
  await empty.restore(source.dump());
  await Promise.all([source, empty].map((open) => open[Symbol.asyncDispose]()));
  const copy = openSqliteStore(target);
  expect((await listPlants(copy, { limit: 1, order: 'createdAt' }))[0]?.['name']).toBe(`rotten ${rotten}`);
  expect(await copy.plants.count()).toBe(3000);
  await copy.close();
  await backup(target, folder.file('copy'), { overwrite: false });

  const store = openSqliteStore(folder.database);
  await expect(store.plants.delete(rotten)).rejects.toMatchObject(isDamage);
  await store.close();
});

/** A store whose files are replaced, removed or truncated while it is in use. */
import { describe, expect, test } from 'bun:test';
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, truncateSync } from 'node:fs';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import type { Fatal } from '../../src/sqlite/errors.ts';
import type { Store } from '../../src/store/store.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { listPlants } from '../support/store/plant-list.ts';
import { openDatabase, rowsOf } from '../support/store/sqlite.ts';
import { until } from '../support/until.ts';
import { createDatabase, plant, replacements } from './replacements.ts';

describe('a store', () => {
  const openWatched = (database: string): { store: Store; fatal: Fatal[] } => {
    const fatal: Fatal[] = [];
    return { store: openSqliteStore(database, { onFatal: (reason) => fatal.push(reason) }), fatal };
  };

  test.each(replacements)('a store acknowledges nothing once %s', async (_what, replace) => {
    using folder = await createDatabase();
    const { store, fatal } = openWatched(folder.database);
    await store.plants.create(plant(2n));
    replace(folder);
    const code = expect.stringMatching(/^(?:outcome_unknown|unavailable)$/);
    await expect(store.plants.create(plant(3n))).rejects.toMatchObject({ code });
    await expect(store.plants.create(plant(4n))).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.plants.get(1n)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.ping()).rejects.toMatchObject({ code: 'unavailable' });
    expect(fatal).toEqual([expect.objectContaining({ kind: 'file_replaced' })]);
    await store.close();
  });

  test.each(replacements)('an idle store detects that %s', async (_what, replace) => {
    using folder = await createDatabase();
    const { store, fatal } = openWatched(folder.database);
    replace(folder);
    await until(() => fatal.length > 0);
    await store.close();
  });

  test('a store is stopped when the link that names its database is replaced', async () => {
    using folder = await createDatabase();
    symlinkSync('p.sqlite', folder.file('link'));
    symlinkSync('backup.sqlite', folder.file('other'));
    const { store, fatal } = openWatched(folder.file('link'));
    await store.plants.create(plant(2n));
    renameSync(folder.file('other'), folder.file('link'));
    await expect(store.plants.create(plant(3n))).rejects.toMatchObject({ code: 'outcome_unknown' });
    expect(fatal).toHaveLength(1);
    await store.close();
  });

  test('a store does not change the database that has replaced its own, nor the log of that', async () => {
    using folder = await createDatabase();
    const { store } = openWatched(folder.database);
    await store.plants.create(plant(2n));
    renameSync(folder.backup, folder.database);
    for (const suffix of ['-wal', '-shm']) rmSync(folder.database + suffix);
    // As another process would, which keeps it open.
    using other = openDatabase(folder.database);
    other.run('PRAGMA journal_mode = WAL');
    other.run("INSERT INTO plants (id, name, created_at, updated_at) VALUES (9, 'other', '', '')");
    const before = readFileSync(`${folder.database}-wal`);
    await expect(store.plants.create(plant(3n))).rejects.toThrow();
    await store.close();
    expect(readFileSync(`${folder.database}-wal`)).toEqual(before);
    expect(rowsOf(other, 'SELECT id FROM plants ORDER BY id')).toEqual([[1n], [9n]]);
  });

  test('a store leaves no log for the database that has replaced its own', async () => {
    using folder = await createDatabase();
    const { store } = openWatched(folder.database);
    const many = Array.from({ length: 5000 }, (_, id) => plant(BigInt(id + 2)));
    await store.plants.putAll((put) => put(many, 'leave'));
    for (let id = 2n; id < 40n; id += 1n) await store.plants.delete(id);
    renameSync(folder.backup, folder.database);
    await expect(store.plants.create(plant(9000n))).rejects.toThrow();
    await store.close();
    const restored = openSqliteStore(folder.database);
    expect(await listPlants(restored, { limit: 10 })).toHaveLength(1);
    await restored.plants.create(plant(2n));
    await restored.close();
    using client = openDatabase(folder.database);
    expect(rowsOf(client, 'PRAGMA integrity_check')).toEqual([['ok']]);
  });

  test('a store writes all acknowledged changes into its database after that was moved', async () => {
    using folder = await createDatabase();
    const { store } = openWatched(folder.database);
    for (let id = 2n; id < 200n; id += 1n) await store.plants.create(plant(id));
    renameSync(folder.database, folder.file('moved.sqlite'));
    copyFileSync(folder.file('moved.sqlite'), folder.database);
    // The watch of the files may notice it first.
    const code = expect.stringMatching(/^(?:outcome_unknown|unavailable)$/);
    await expect(store.plants.create(plant(200n))).rejects.toMatchObject({ code });
    await store.close();
    const moved = openSqliteStore(folder.file('moved.sqlite'));
    expect(await moved.plants.count()).toBeGreaterThanOrEqual(199);
    await moved.close();
  });

  test('a store keeps all acknowledged changes when its WAL index is truncated', async () => {
    using folder = await createDatabase();
    const { store } = openWatched(folder.database);
    for (let id = 2n; id < 50n; id += 1n) await store.plants.create(plant(id));
    truncateSync(`${folder.database}-shm`, 0);
    await expect(store.plants.create(plant(50n))).rejects.toThrow();
    await store.close();
    const again = openSqliteStore(folder.database);
    expect(await again.plants.count()).toBe(49);
    await again.close();
  });

  test('an import into a database that was replaced meanwhile rejects with outcome_unknown', async () => {
    using folder = await createDatabase();
    const { store } = openWatched(folder.database);
    const importing = store.plants.putAll(async (put) => {
      await put([plant(5n)], 'leave');
      renameSync(folder.backup, folder.database);
    });
    await expect(importing).rejects.toMatchObject({ code: 'outcome_unknown' });
    await store.close();
  });

  test('a store leaves no log when it detects during a transaction that its database was replaced', async () => {
    using folder = await createDatabase();
    const { store, fatal } = openWatched(folder.database);
    const importing = store.plants.putAll(async (put) => {
      await put(
        Array.from({ length: 5000 }, (_, id) => plant(BigInt(id + 2))),
        'leave',
      );
      renameSync(folder.backup, folder.database);
      await until(() => fatal.length > 0);
    });
    await expect(importing).rejects.toMatchObject({ code: 'outcome_unknown' });
    await store.close();
    expect(statSync(`${folder.database}-wal`, { throwIfNoEntry: false })?.size ?? 0).toBe(0);
    const restored = openSqliteStore(folder.database);
    expect(await restored.plants.count()).toBe(1);
    await restored.close();
  });

  test('a store continues to work while its log is checkpointed, grows and is truncated', async () => {
    using folder = await createDatabase();
    using clock = stopClock();
    const { store, fatal } = openWatched(folder.database);
    const many = Array.from({ length: 20_000 }, (_, id) => plant(BigInt(id + 2)));
    await store.plants.putAll((put) => put(many, 'leave'));
    using other = openDatabase(folder.database);
    other.run('PRAGMA wal_checkpoint(TRUNCATE)');
    expect(statSync(`${folder.database}-wal`).size).toBe(0);
    await store.plants.create(plant(100_000n));
    await clock.pass(1100);
    expect(await store.plants.count()).toBe(20_002);
    expect(fatal).toEqual([]);
    await store.close();
  });
});

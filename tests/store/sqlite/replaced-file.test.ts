/** A database whose files are replaced, removed or truncated while it is in use. */
import { Database } from 'bun:sqlite';
import { describe, expect, test } from 'bun:test';
import { copyFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs';
import { digestToken, generateToken, scopes } from '../../../src/domain/token.ts';
import type { Fatal } from '../../../src/store/sqlite/errors.ts';
import { openSqliteStore } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { linuxTest } from '../../support/linux.ts';
import { listPlants } from '../../support/plant-list.ts';
import { type RunningServer, startServer } from '../../support/process.ts';
import { until } from '../../support/until.ts';

const plant = (id: bigint) => ({ id, name: 'n' });

/** A database of the plant 1 with a token, and a backup of it. */
const createDatabase = async () => {
  const folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  const backup = folder.file('backup.sqlite');
  const token = generateToken();
  const store = openSqliteStore(database);
  await store.plants.create(plant(1n));
  const { id } = await store.tokens.create({ name: 'test', scopes, digest: digestToken(token) });
  await store.backup(backup, { overwrite: false });
  await store.close();
  return {
    ...folder,
    database,
    backup,
    tokenId: id,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  };
};

type Folder = Awaited<ReturnType<typeof createDatabase>>;

const replacements: [string, (folder: Folder) => void][] = [
  ['a backup is moved over its database', ({ backup, database }) => renameSync(backup, database)],
  [
    'a backup is moved over its database and the log is removed',
    ({ backup, database }) => {
      renameSync(backup, database);
      for (const suffix of ['-wal', '-shm']) rmSync(database + suffix);
    },
  ],
  ['its database is removed', ({ database }) => rmSync(database)],
  ['its log is removed', ({ database }) => rmSync(`${database}-wal`)],
  ['the index of its log is removed', ({ database }) => rmSync(`${database}-shm`)],
  ['its WAL index is truncated', ({ database }) => truncateSync(`${database}-shm`, 0)],
];

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
    await Bun.$`ln -s p.sqlite link && ln -s backup.sqlite other`.cwd(folder.path);
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
    using other = new Database(folder.database);
    other.run('PRAGMA journal_mode = WAL');
    other.run("INSERT INTO plants (id, name, created_at, updated_at) VALUES (9, 'other', '', '')");
    const before = readFileSync(`${folder.database}-wal`);
    await expect(store.plants.create(plant(3n))).rejects.toThrow();
    await store.close();
    expect(readFileSync(`${folder.database}-wal`)).toEqual(before);
    expect(other.query('SELECT id FROM plants').values()).toEqual([[1], [9]]);
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
    using client = new Database(folder.database);
    expect(client.query('PRAGMA integrity_check').values()).toEqual([['ok']]);
  });

  test('a store writes all acknowledged changes into its database after that was moved', async () => {
    using folder = await createDatabase();
    const { store } = openWatched(folder.database);
    for (let id = 2n; id < 200n; id += 1n) await store.plants.create(plant(id));
    renameSync(folder.database, folder.file('moved.sqlite'));
    copyFileSync(folder.file('moved.sqlite'), folder.database);
    await expect(store.plants.create(plant(200n))).rejects.toMatchObject({ code: 'outcome_unknown' });
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
    const { store, fatal } = openWatched(folder.database);
    const many = Array.from({ length: 20_000 }, (_, id) => plant(BigInt(id + 2)));
    await store.plants.putAll((put) => put(many, 'leave'));
    using other = new Database(folder.database);
    other.query('PRAGMA wal_checkpoint(TRUNCATE)').get();
    expect(statSync(`${folder.database}-wal`).size).toBe(0);
    await store.plants.create(plant(100_000n));
    await Bun.sleep(1100);
    expect(await store.plants.count()).toBe(20_002);
    expect(fatal).toEqual([]);
    await store.close();
  });
});

describe('a server', () => {
  /** The statuses of /readyz until it does not answer any more. */
  const readUntilGone = async ({ url }: RunningServer): Promise<number[]> => {
    const statuses: number[] = [];
    for (;;) {
      const response = await fetch(`${url}/readyz`).catch(() => undefined);
      if (!response) return statuses;
      statuses.push(response.status);
      await Bun.sleep(50);
    }
  };

  test.each(replacements.filter((_, index) => [0, 3, 5].includes(index)))(
    'a server is not ready and exits with 1 within a few seconds once %s',
    async (_what, replace) => {
      using folder = await createDatabase();
      await using server = await startServer(folder.database);
      replace(folder);
      const startedAtMs = performance.now();
      const statuses = await readUntilGone(server);
      expect(await server.exited).toBe(1);
      expect(performance.now() - startedAtMs).toBeLessThan(8000);
      expect([...new Set(statuses)].at(-1)).toBe(503);
      expect(server.log.map(({ msg }) => msg).join('\n')).toMatch(
        /the database file or its log was replaced or removed|WAL index/,
      );
    },
  );

  test('a server accepts no token that is revoked in the database that has replaced its own', async () => {
    using folder = await createDatabase();
    const other = openSqliteStore(folder.backup);
    await other.tokens.revoke(folder.tokenId);
    await other.close();
    await using server = await startServer(folder.database);
    const get = () => fetch(`${server.url}/plants/1`, { headers: folder.headers }).then(({ status }) => status);
    expect(await get()).toBe(200);
    renameSync(folder.backup, folder.database);
    await until(async () => (await get().catch(() => 503)) === 503);
    expect(await server.exited).toBe(1);
  });

  linuxTest('a server exits with 1, and not by a signal, when its WAL index is truncated under load', async () => {
    for (let round = 0; round < 3; round += 1) {
      using folder = await createDatabase();
      await using server = await startServer(folder.database);
      const { headers } = folder;
      let isOver = false;
      const clients = Array.from({ length: 32 }, async (_, client) => {
        for (let id = client * 1_000_000; !isOver; id += 1) {
          const body = `{"id":${id},"name":"n"}`;
          await fetch(`${server.url}/plants`, { method: 'POST', headers, body }).catch(() => Bun.sleep(5));
          await fetch(`${server.url}/plants/${id}`, { headers }).catch(() => Bun.sleep(5));
        }
      });
      await Bun.sleep(300);
      truncateSync(`${folder.database}-shm`, 0);
      expect(await server.exited).toBe(1);
      isOver = true;
      await Promise.all(clients);
      expect(server.log.map(({ msg }) => msg).join('\n')).toMatch(
        /the database file or its log was replaced|WAL index/,
      );
    }
  });
});

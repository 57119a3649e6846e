import { expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import sqliteMigrations from '../../db/migrations.json' with { type: 'json' };
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { backup } from '../../src/engines/sqlite-backup.ts';
import { temporaryFolder } from '../support/folder.ts';
import { createOlder } from '../support/store/older-schema.ts';
import { openDatabase, rowsOf } from '../support/store/sqlite.ts';

test('a backup is a complete separate database, and replaces a file only if that is permitted', async () => {
  using folder = temporaryFolder();
  const [path, copy] = [folder.file('p.sqlite'), folder.file('copy.sqlite')];
  const store = openSqliteStore(path);
  const record = await store.plants.create({ id: 1n, name: 'n' });
  await backup(path, copy, { overwrite: false });
  await store.plants.create({ id: 2n, name: 'later' });
  await expect(backup(path, copy, { overwrite: false })).rejects.toMatchObject({ name: 'OperatorError' });

  const restored = openSqliteStore(copy);
  expect(await restored.plants.get(1n)).toEqual(record);
  expect(await restored.plants.count()).toBe(1);
  await restored.close();

  await backup(path, copy, { overwrite: true });
  const again = openSqliteStore(copy);
  expect(await again.plants.count()).toBe(2);
  for (const open of [again, store]) await open.close();
  expect(readdirSync(folder.path).filter((name) => name.endsWith('.new'))).toEqual([]);
});

test.each(sqliteMigrations.slice(1).map((_, index) => index + 1))(
  'a backup of a database with the first %d migrations has this schema and all rows',
  async (count) => {
    using folder = temporaryFolder();
    const [path, copy] = [folder.file('p.sqlite'), folder.file('copy.sqlite')];
    await createOlder(path, count);
    await backup(path, copy, { overwrite: false });
    const read = (file: string) => {
      using client = openDatabase(file);
      return [
        'SELECT type, name, sql FROM sqlite_schema ORDER BY type, name',
        'SELECT * FROM schema_migrations',
        'SELECT * FROM plants',
        'PRAGMA application_id',
      ].map((query) => rowsOf(client, query));
    };
    expect(read(copy)).toEqual(read(path));
    const store = openSqliteStore(copy, { upgrade: true });
    expect(await store.plants.get(1n)).toMatchObject({ name: 'n' });
    await store.close();
  },
);

test('a backup changes no byte of the database, and leaves no log beside it', async () => {
  using folder = temporaryFolder();
  const path = folder.file('p.sqlite');
  await createOlder(path, 2);
  const before = readFileSync(path);
  await backup(path, folder.file('copy.sqlite'), { overwrite: false });
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(folder.path).sort()).toEqual(['copy.sqlite', 'p.sqlite']);
});

test('a database of a newer version is not copied', async () => {
  using folder = temporaryFolder();
  const path = folder.file('p.sqlite');
  await createOlder(path, sqliteMigrations.length);
  {
    using client = openDatabase(path);
    client.run("INSERT INTO schema_migrations VALUES ('9999_later', 'x', 'y')");
  }
  await expect(backup(path, folder.file('copy.sqlite'), { overwrite: false })).rejects.toThrow('by a newer version');
  expect(existsSync(folder.file('copy.sqlite'))).toBe(false);
});

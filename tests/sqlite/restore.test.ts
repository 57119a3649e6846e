/** What a runtime decides about a restore: the locks, the links and the closing of connections. tests/cli/restore.test.ts has the rest. */
import { expect, test } from 'bun:test';
import { copyFileSync, readdirSync } from 'node:fs';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { backup } from '../../src/engines/sqlite-backup.ts';
import { restore } from '../../src/engines/sqlite-restore.ts';
import { temporaryFolder } from '../support/folder.ts';

test('a restore refuses an open database, and keeps the replaced one with its log', async () => {
  using folder = temporaryFolder();
  const [path, copy, killed] = ['p.sqlite', 'copy.sqlite', 'killed.sqlite'].map(folder.file) as [
    string,
    string,
    string,
  ];
  const store = openSqliteStore(path);
  await store.plants.create({ id: 1n, name: 'first' });
  await backup(path, copy, { overwrite: false });
  await store.plants.create({ id: 2n, name: 'second' });
  await expect(restore(copy, path)).rejects.toThrow('is in use');
  // As a killed process leaves them.
  for (const suffix of ['', '-wal', '-shm']) copyFileSync(path + suffix, killed + suffix);
  await store.close();

  const kept = (await restore(copy, killed)) ?? 'none';
  for (const [file, count] of [
    [killed, 1],
    [kept, 2],
  ] as const) {
    const opened = openSqliteStore(file);
    expect(await opened.plants.count()).toBe(count);
    await opened.close();
  }
  expect(readdirSync(folder.path).filter((name) => name.includes('.new'))).toEqual([]);
});

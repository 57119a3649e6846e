import { renameSync, rmSync, truncateSync } from 'node:fs';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { backup as copyDatabase } from '../../src/engines/sqlite-backup.ts';
import { digestToken, generateToken, scopes } from '../../src/tokens/token.ts';
import { temporaryFolder } from '../support/folder.ts';

export const plant = (id: bigint) => ({ id, name: 'n' });

/** A database of the plant 1 with a token, and a backup of it. */
export const createDatabase = async () => {
  const folder = temporaryFolder();
  const database = folder.file('p.sqlite');
  const backup = folder.file('backup.sqlite');
  const token = generateToken();
  const store = openSqliteStore(database);
  await store.plants.create(plant(1n));
  const { id } = await store.tokens.create({ name: 'test', scopes, digest: digestToken(token) });
  await copyDatabase(database, backup, { overwrite: false });
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

export const replacements: [string, (folder: Folder) => void][] = [
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

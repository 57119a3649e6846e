import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { hash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqliteMigrations from '../../db/migrations.json' with { type: 'json' };
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { openExclusiveSqlite } from '../../src/engines/sqlite-copy.ts';
import { connect } from '../../src/sqlite/client.ts';
import { inspect, migrate } from '../../src/sqlite/migrate.ts';
import { linuxTest } from '../support/programs/linux.ts';
import { firstOf, openDatabase, rowsOf } from '../support/store/sqlite.ts';

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  path = join(folder, 'plants.sqlite');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** An intact, closed database with a plant. */
const makeDatabase = async (): Promise<void> => {
  const store = openSqliteStore(path);
  await store.plants.create({ id: 1n, name: 'n' });
  await store.close();
};

const digestOf = (file: string): string => hash('sha256', readFileSync(file));

/** The paths of the open files of this process. */
const openFiles = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`);
    } catch {
      return [];
    }
  });

const change = (sql: string): void => {
  using client = openDatabase(path);
  client.run(sql);
};

test('a new database is complete, has the application id in its header, and leaves no other file', async () => {
  await makeDatabase();
  expect(readdirSync(folder)).toEqual(['plants.sqlite']);
  expect(readFileSync(path).subarray(68, 72).toString('latin1')).toBe('PLNT');
});

test('missing folders of a new database are created', async () => {
  await openSqliteStore(join(folder, 'a', 'b', 'plants.sqlite')).close();
  expect(existsSync(join(folder, 'a', 'b', 'plants.sqlite'))).toBe(true);
});

linuxTest('a database that is in use is not open after it was refused', async () => {
  await makeDatabase();
  const other = connect(path);
  await expect(openExclusiveSqlite(path, { create: false })).rejects.toThrow('is in use');
  other.close();
  expect(openFiles().filter((file) => file.startsWith(folder))).toEqual([]);
});

test('a connection uses WAL, syncs each commit in full, and waits for locks while it is set up', async () => {
  await makeDatabase();
  const client = connect(path);
  const pragma = (name: string): unknown => firstOf(client, `PRAGMA ${name}`);
  expect([pragma('journal_mode'), pragma('synchronous'), pragma('busy_timeout')]).toEqual(['wal', 2n, 5000n]);
  client.close();
});

test('migrations are applied once, and recorded by name and hash', async () => {
  const applied: string[] = [];
  for (let start = 0; start < 3; start += 1) {
    await openSqliteStore(path, { onMigrated: (names) => applied.push(...names) }).close();
  }
  expect(applied).toEqual(sqliteMigrations.map(({ name }) => name));
  using client = openDatabase(path);
  expect(rowsOf(client, 'SELECT name, hash FROM schema_migrations ORDER BY name')).toEqual(
    sqliteMigrations.map(({ name, sql }) => [name, hash('sha256', sql)]),
  );
});

test('a failed migration leaves the database unchanged', async () => {
  await makeDatabase();
  using client = openDatabase(path);
  const next = {
    name: '9999_bad',
    sql: 'CREATE TABLE extra (id integer);\n--> statement-breakpoint\nSELECT no_such_function();',
  };
  expect(() => migrate(client, [...sqliteMigrations, next])).toThrow();
  expect(rowsOf(client, "SELECT name FROM sqlite_schema WHERE name = 'extra'")).toEqual([]);
  expect(migrate(client)).toEqual([]);
});

test('an older database is brought up to date and keeps its rows', async () => {
  await makeDatabase();
  using client = openDatabase(path);
  const next = { name: '9999_next', sql: 'ALTER TABLE plants ADD COLUMN colour text;' };
  expect(migrate(client, [...sqliteMigrations, next])).toEqual(['9999_next']);
  expect(rowsOf(client, 'SELECT name, colour FROM plants')).toEqual([['n', null]]);
});

test('many processes that start at the same time create one database', async () => {
  const script = join(import.meta.dirname, '../../src/main.ts');
  const starts = Array.from({ length: 6 }, () =>
    Bun.spawn([process.execPath, script, 'migrate', '--database', path], { stdout: 'pipe', stderr: 'pipe' }),
  );
  for (const start of starts) expect(await start.exited).toBe(0);
  expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  inspect(path);
});

test('a database with the tables of Litestream is opened', async () => {
  await makeDatabase();
  change('CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)');
  change('CREATE TABLE _litestream_lock (id INTEGER)');
  await openSqliteStore(path).close();
});

describe('a file that must not be used', () => {
  const overwrite = (offset: number, bytes: string): void => {
    const content = readFileSync(path);
    content.write(bytes, offset, 'latin1');
    writeFileSync(path, content);
  };

  test.each<[string, RegExp, () => void]>([
    ['an empty file', /is empty/, () => truncateSync(path)],
    ['text', /not a SQLite database/, () => writeFileSync(path, 'once upon a time '.repeat(100))],
    ['a damaged header', /not a SQLite database/, () => overwrite(0, 'Sqlite')],
    ['a damaged schema page', /damaged/, () => overwrite(100, '\xff'.repeat(200))],
    ['a damaged table page', /damaged/, () => overwrite(4096, '\xff'.repeat(4096))],
    ['a file cut short', /damaged/, () => truncateSync(path, 4096)],
    ['a file that lacks its last byte', /damaged/, () => truncateSync(path, statSync(path).size - 1)],
    ["another program's database", /another program/, () => change('PRAGMA application_id = 7')],
    [
      'a database that names no program',
      /another program/,
      () => {
        rmSync(path);
        change('CREATE TABLE plants (id integer PRIMARY KEY)');
      },
    ],
    ['a newer schema', /newer version/, () => change("INSERT INTO schema_migrations VALUES ('9999_next', 'h', 't')")],
    [
      'an unknown migration',
      /another version/,
      () => change("UPDATE schema_migrations SET name = '0000_other' WHERE name LIKE '0000%'"),
    ],
    ['an altered migration', /altered version/, () => change("UPDATE schema_migrations SET hash = 'h'")],
    ['a column more', /altered from outside/, () => change('ALTER TABLE plants ADD COLUMN colour text')],
    ['a table less', /altered from outside/, () => change('DROP TABLE plants')],
    ['an index less', /altered from outside/, () => change('DROP INDEX tokens_digest')],
    [
      'a trigger',
      /altered from outside/,
      () => change('CREATE TRIGGER t AFTER INSERT ON plants BEGIN DELETE FROM plants; END'),
    ],
  ])('%s is refused with the reason and not changed', async (_what, reason, spoil) => {
    await makeDatabase();
    spoil();
    const before = digestOf(path);
    expect(() => openSqliteStore(path)).toThrow(reason);
    expect(digestOf(path)).toBe(before);
    expect(readdirSync(folder).filter((name) => name.endsWith('.new'))).toEqual([]);
  });

  test("another program's database in WAL mode is refused, and its log left as it is", () => {
    const elsewhere = join(folder, 'elsewhere.sqlite');
    const client = openDatabase(elsewhere);
    client.run('PRAGMA journal_mode = WAL');
    client.run('CREATE TABLE t (x)');
    copyFileSync(elsewhere, path);
    copyFileSync(`${elsewhere}-wal`, `${path}-wal`);
    client.close();
    const before = [digestOf(path), digestOf(`${path}-wal`)];
    expect(() => openSqliteStore(path)).toThrow(/another program/);
    expect([digestOf(path), digestOf(`${path}-wal`)]).toEqual(before);
  });

  test('a folder is refused as no file', () => {
    expect(() => openSqliteStore(folder)).toThrow(/is not a file/);
  });

  test('a log without its database is refused, since SQLite would write it into a new one', async () => {
    const store = openSqliteStore(path);
    await store.plants.create({ id: 1n, name: 'n' });
    copyFileSync(`${path}-wal`, join(folder, 'kept'));
    await store.close();
    rmSync(path);
    copyFileSync(join(folder, 'kept'), `${path}-wal`);
    expect(() => openSqliteStore(path)).toThrow(/plants\.sqlite-wal is the log of another database/);
    expect(readdirSync(folder).sort()).toEqual(['kept', 'plants.sqlite-wal']);
    expect(digestOf(`${path}-wal`)).toBe(digestOf(join(folder, 'kept')));
  });

  test('a sound file that another program has locked is refused as locked, not as damaged', async () => {
    await makeDatabase();
    using other = openDatabase(path);
    other.run('PRAGMA locking_mode = EXCLUSIVE');
    other.run('BEGIN EXCLUSIVE');
    expect(() => openSqliteStore(path)).toThrow(/locked by another program/);
  });

  linuxTest('a database in a folder that does not exist is refused', () => {
    expect(() => openSqliteStore('/proc/none/p.sqlite')).toThrow(/^Database \/proc\/none\/p\.sqlite cannot be opened/);
    expect(() => openSqliteStore('/proc/p.sqlite')).toThrow(
      /^Database \/proc\/p\.sqlite cannot be opened: no such file\./,
    );
  });
});

test('a database without a final checkpoint, as after kill -9, opens with all its rows', async () => {
  const store = openSqliteStore(path);
  await store.plants.create({ id: 1n, name: 'n' });
  const copy = join(folder, 'copy.sqlite');
  copyFileSync(path, copy);
  copyFileSync(`${path}-wal`, `${copy}-wal`);
  await store.close();
  const reopened = openSqliteStore(copy);
  expect(await reopened.plants.get(1n)).toMatchObject({ name: 'n' });
  await reopened.close();
});

test('a page that is damaged while in use fails the requests that need it, and changes nothing', async () => {
  await makeDatabase();
  const store = openSqliteStore(path);
  const content = readFileSync(path);
  // Beyond the schema on the first page: every table and index.
  writeFileSync(path, content.fill(0xff, 4096));
  await expect(store.plants.get(1n)).rejects.toMatchObject({ code: 'defect' });
  await expect(store.plants.create({ id: 2n, name: 'n' })).rejects.toMatchObject({ code: 'defect' });
  await store.close();
});

test('a commit of another process is visible in the next turn, after any earlier reads', async () => {
  await makeDatabase();
  const store = openSqliteStore(path);
  await store.tokens.create({ name: 'a', scopes: [], digest: 'd1' });
  expect((await store.tokens.findByDigest('d1'))?.revokedAt).toBeUndefined();
  await new Promise(setImmediate);
  change("UPDATE tokens SET revoked_at = '2026-05-01T09:30:00.000Z'");
  expect((await store.tokens.findByDigest('d1'))?.revokedAt).toBe('2026-05-01T09:30:00.000Z');
  expect(await store.plants.count()).toBe(1);
  await new Promise(setImmediate);
  change('DELETE FROM plants');
  expect(await store.plants.count()).toBe(0);
  await store.close();
});

test('a read does not block a checkpoint of another process', async () => {
  await makeDatabase();
  const store = openSqliteStore(path);
  await store.plants.count();
  await new Promise(setImmediate);
  using other = openDatabase(path);
  other.run("UPDATE plants SET name = 'm'");
  expect(firstOf(other, 'PRAGMA wal_checkpoint(TRUNCATE)')).toBe(0n);
  expect(await store.plants.get(1n)).toMatchObject({ name: 'm' });
  await store.close();
});

test('a closed store refuses reads', async () => {
  await makeDatabase();
  const store = openSqliteStore(path);
  await store.plants.count();
  await store.close();
  await expect(store.plants.count()).rejects.toThrow('closed');
});

test('a closed store refuses queued and new writes, and reports no disk failure', async () => {
  await makeDatabase();
  const fatal: unknown[] = [];
  const store = openSqliteStore(path, { onFatal: (one) => fatal.push(one) });
  const waiting = store.plants.create({ id: 8n, name: 'n' });
  await store.close();
  await expect(waiting).rejects.toMatchObject({ code: 'unavailable' });
  await expect(store.plants.create({ id: 9n, name: 'n' })).rejects.toMatchObject({ code: 'unavailable' });
  expect(fatal).toEqual([]);
});

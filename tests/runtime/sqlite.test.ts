/** The client of SQLite: the same on each runtime. `store.test.ts` runs this file on Node and Deno too. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { runtime } from '#runtime';
import type { SqliteClient } from '../../src/runtime/runtime.ts';
import { temporaryFolder } from '../support/folder.ts';
import { firstOf, openDatabase, rowsOf } from '../support/store/sqlite.ts';

let folder: ReturnType<typeof temporaryFolder>;
let client: SqliteClient;
beforeEach(() => {
  folder = temporaryFolder();
  client = openDatabase(folder.file('a b%20?#.sqlite'));
  client.run('PRAGMA journal_mode = WAL');
  client.run('CREATE TABLE t (x INTEGER PRIMARY KEY, y TEXT NOT NULL)');
});
afterEach(() => {
  client.close();
  folder[Symbol.dispose]();
});

const insert = (database: SqliteClient, x: bigint, y: string | null) =>
  database.prepare<never, object>('INSERT INTO t VALUES ($x, $y)').run({ x, y });

describe('values', () => {
  test.each([0n, -(2n ** 63n), 2n ** 63n - 1n, 9007199254740993n])('the integer %s is the same in a row', (x) => {
    insert(client, x, 'n');
    expect(client.prepare<{ x: bigint }>('SELECT x FROM t').all()[0]?.x).toBe(x);
  });

  test('an integer beyond 64 bits is refused', () => {
    expect(() => insert(client, 2n ** 63n, 'n')).toThrow();
  });

  test('a number is an integer, also where SQLite compares types', () => {
    const types = client.prepare<object, object>('SELECT typeof($a) AS a, typeof($b) AS b, typeof($c) AS c');
    expect(types.all({ a: 1, b: 1n, c: null }).map(Object.values)).toEqual([['integer', 'integer', 'null']]);
  });

  test.each(['', '\u{1f331}ü', "'; --", '$x'])('the text %s is the same in a row', (y) => {
    insert(client, 1n, y);
    expect(firstOf(client, 'SELECT y FROM t')).toBe(y);
  });

  test('a blob is an array of bytes, and NULL is null', () => {
    const [blob, none] = rowsOf(client, "SELECT CAST('ü' AS BLOB), NULL")[0] ?? [];
    expect(blob).toBeInstanceOf(Uint8Array);
    expect([...Object(blob)]).toEqual([0xc3, 0xbc]);
    expect(none).toBeNull();
  });

  test('a value may be used twice, and one that a statement does not have is ignored', () => {
    const sum = client.prepare<{ total: bigint }, object>("SELECT $a + $b + $a AS total, '$c' AS text");
    expect(sum.all({ a: 1n, b: 2n, c: 3n, d: 4n })[0]).toMatchObject({ total: 4n, text: '$c' });
  });

  test('a statement without one of its values does not run', () => {
    const statement = client.prepare<never, object>('INSERT INTO t VALUES ($x, $y)');
    insert(client, 1n, 'n');
    expect(() => statement.run({ x: 2n })).toThrow(/y/);
    expect(firstOf(client, 'SELECT count(*) FROM t')).toBe(1n);
  });
});

describe('statements', () => {
  test('a run returns the number of changed rows', () => {
    expect(insert(client, 1n, 'n').changes).toBe(1);
    insert(client, 2n, 'n');
    expect(client.prepare("UPDATE t SET y = 'm'").run().changes).toBe(2);
    expect(client.prepare<never, object>('DELETE FROM t WHERE x = $x').run({ x: 3n }).changes).toBe(0);
  });

  test('a statement runs again after an error', () => {
    const statement = client.prepare<never, object>('INSERT INTO t VALUES ($x, $y)');
    statement.run({ x: 1n, y: 'n' });
    expect(() => statement.run({ x: 1n, y: 'n' })).toThrow();
    expect(statement.run({ x: 2n, y: 'n' }).changes).toBe(1);
  });

  test('an INSERT with RETURNING is complete when its rows are returned', () => {
    const many = client.prepare<{ x: bigint }>("INSERT INTO t VALUES (1, 'a'), (2, 'b') RETURNING x");
    expect(many.all().map(({ x }) => x)).toEqual([1n, 2n]);
    expect(firstOf(client, 'SELECT count(*) FROM t')).toBe(2n);
  });

  test('the client knows whether it is in a transaction, also after SQLite has ended it', () => {
    expect(client.inTransaction).toBe(false);
    client.run('BEGIN');
    expect(client.inTransaction).toBe(true);
    insert(client, 1n, 'n');
    expect(() => client.run("INSERT OR ROLLBACK INTO t VALUES (1, 'm')")).toThrow();
    expect(client.inTransaction).toBe(false);
    expect(rowsOf(client, 'SELECT * FROM t')).toEqual([]);
  });

  test('a pragma sets and returns its value', () => {
    client.run('PRAGMA busy_timeout = 1234');
    expect(firstOf(client, 'PRAGMA busy_timeout')).toBe(1234n);
    expect(rowsOf(client, 'PRAGMA wal_checkpoint(TRUNCATE)')).toEqual([[0n, 0n, 0n]]);
  });

  test.each([
    ['synchronous', 2n],
    ['foreign_keys', 0n],
    ['busy_timeout', 0n],
    ['locking_mode', 'normal'],
  ])('before it is set, the pragma %s is that of SQLite', (pragma, value) => {
    expect(firstOf(client, `PRAGMA ${pragma}`)).toBe(value);
  });
});

describe('errors', () => {
  const codeOf = (run: () => unknown): unknown => {
    try {
      run();
    } catch (error) {
      return Reflect.get(Object(error), 'code');
    }
    return 'none';
  };

  test('the code of an error is the name of its extended result code', () => {
    insert(client, 1n, 'n');
    using other = runtime.openSqlite(client.filename);
    other.run('BEGIN');
    firstOf(other, 'SELECT 1 FROM t');
    insert(client, 2n, 'n');
    expect({
      syntax: codeOf(() => client.run('SELEC')),
      taken: codeOf(() => insert(client, 1n, 'n')),
      notNull: codeOf(() => insert(client, 3n, null)),
      snapshot: codeOf(() => insert(other, 3n, 'n')),
    }).toEqual({
      syntax: 'SQLITE_ERROR',
      taken: 'SQLITE_CONSTRAINT_PRIMARYKEY',
      notNull: 'SQLITE_CONSTRAINT_NOTNULL',
      snapshot: 'SQLITE_BUSY_SNAPSHOT',
    });
  });

  test('a refused row is told by its column in the message', () => {
    expect(() => insert(client, 3n, null)).toThrow('NOT NULL constraint failed: t.y');
  });

  test('a lock of another connection is SQLITE_BUSY, for a prepared statement and another one', () => {
    using other = runtime.openSqlite(client.filename);
    const begin = other.prepare('BEGIN IMMEDIATE');
    client.run('BEGIN IMMEDIATE');
    expect([codeOf(() => begin.run()), codeOf(() => other.run('BEGIN IMMEDIATE'))]).toEqual([
      'SQLITE_BUSY',
      'SQLITE_BUSY',
    ]);
    client.run('ROLLBACK');
    begin.run();
  });

  test('a full disk, a file that is no database, and one that cannot be opened each have their code', () => {
    client.run('PRAGMA max_page_count = 2');
    writeFileSync(folder.file('text'), 'x'.repeat(5000));
    mkdirSync(folder.file('folder'));
    using text = runtime.openSqlite(folder.file('text'));
    expect({
      full: codeOf(() => insert(client, 1n, 'x'.repeat(10_000))),
      text: codeOf(() => text.run('PRAGMA application_id')),
      folder: codeOf(() => firstOf(runtime.openSqlite(folder.file('folder')), 'PRAGMA application_id')),
      missing: codeOf(() => runtime.openSqlite(folder.file('missing'))),
    }).toEqual({
      full: 'SQLITE_FULL',
      text: 'SQLITE_NOTADB',
      folder: 'SQLITE_CANTOPEN',
      missing: 'SQLITE_CANTOPEN',
    });
  });
});

describe('files', () => {
  test('a missing file is not created', () => {
    expect(() => runtime.openSqlite(folder.file('missing'))).toThrow();
    expect(() => runtime.openSqlite(folder.file('missing'), { isReadOnly: true })).toThrow();
    expect(existsSync(folder.file('missing'))).toBe(false);
  });

  test('a read-only client reads, and writes nothing', () => {
    insert(client, 1n, 'n');
    using reader = runtime.openSqlite(client.filename, { isReadOnly: true });
    expect(firstOf(reader, 'SELECT y FROM t')).toBe('n');
    expect(() => insert(reader, 2n, 'n')).toThrow('readonly');
  });

  test('the last connection removes the log when it is closed, with all its statements alive', () => {
    const statement = client.prepare('SELECT * FROM t');
    statement.all();
    expect(readdirSync(folder.path)).toHaveLength(3);
    client.close();
    expect(readdirSync(folder.path)).toEqual(['a b%20?#.sqlite']);
    client.close();
    expect(() => statement.all()).toThrow();
  });

  test('VACUUM INTO writes a copy into an empty file whose name is a value', () => {
    insert(client, 1n, 'n');
    const path = folder.file('copy');
    writeFileSync(path, '');
    client.prepare<never, object>('VACUUM INTO $path').run({ path });
    using copy = runtime.openSqlite(path);
    expect(firstOf(copy, 'SELECT y FROM t')).toBe('n');
  });

  test('each database in memory is separate', () => {
    using one = runtime.openSqlite(':memory:');
    using other = runtime.openSqlite(':memory:');
    one.run('CREATE TABLE u (x)');
    expect(rowsOf(other, 'SELECT name FROM sqlite_schema')).toEqual([]);
  });
});

test('an immutable file in WAL mode is read without files beside it, with the same values, and not written', () => {
  insert(client, 9007199254740993n, 'n');
  client.close();
  const before = readdirSync(folder.path);
  using reader = runtime.openSqlite(folder.file('a b%20?#.sqlite'), { isImmutable: true });
  const found = reader.prepare<object, { x: bigint; z: null }>('SELECT x, y, $z AS z FROM t WHERE x = $x');
  expect(found.all({ x: 9007199254740993n, z: null }).map(Object.values)).toEqual([[9007199254740993n, 'n', null]]);
  expect(readdirSync(folder.path)).toEqual(before);
  expect(() => insert(reader, 1n, 'n')).toThrow(expect.objectContaining({ code: 'SQLITE_READONLY' }));
});

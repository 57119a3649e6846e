/** All rows of a database, read from one engine and written to the other. */
import { describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { getTableColumns, getTableName, type Table } from 'drizzle-orm';
import { bigint, bigserial, pgTable } from 'drizzle-orm/pg-core';
import { getTableConfig, SQLiteTable, sqliteTable, text as textColumn } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import { runtime } from '#runtime';
import * as sqliteSchema from '../../db/sqlite.ts';
import * as postgresSchema from '../../src/postgres/db/tables.ts';
import { copiedTables, tablesOf } from '../../src/storage/copy.ts';
import type { Rows } from '../../src/storage/dump.ts';
import { isLeaseColumn } from '../../src/webhooks/row.ts';
import { anyCharacter } from '../support/any-character.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freshDatabase } from '../support/postgres/postgres-database.ts';
import { openDatabase, rowsOf } from '../support/store/sqlite.ts';
import { readUntil, until } from '../support/until.ts';
import { manyRows, openExclusive } from './copy-rows.ts';

/** The tables of one database. Every other one must be copied. */
const notCopied = {
  SQLite: [sqliteSchema.senders, sqliteSchema.schemaMigrations],
  PostgreSQL: [
    postgresSchema.senders,
    postgresSchema.schemaMigrations,
    postgresSchema.logHead,
    postgresSchema.transactions,
  ],
};

const sqliteTables = tablesOf(sqliteSchema).filter(
  (table): table is SQLiteTable => table instanceof SQLiteTable && !notCopied.SQLite.some((other) => other === table),
);

const tables = sqliteTables.map((table) => {
  const { columns, indexes, primaryKeys } = getTableConfig(table);
  const keys = [
    ...columns.filter(({ primary }) => primary),
    ...primaryKeys.flatMap((key) => key.columns),
    ...indexes.filter(({ config }) => config.unique).flatMap(({ config }) => config.columns),
  ];
  return { name: getTableName(table), columns, keys, names: columns.map(({ name }) => name) };
});

const namesOf = (table: string): string[] => tables.find(({ name }) => name === table)?.names ?? [];

type Row = (bigint | string | Uint8Array | null)[];
type Content = Readonly<Record<string, readonly Row[]>>;

const copy = async (from: string, to: string): Promise<void> => {
  await using source = await openExclusive(from);
  await using target = await openExclusive(to);
  await target.restore(source.dump());
};

const create = async (database: string): Promise<void> => (await openExclusive(database))[Symbol.asyncDispose]();

const canOpen = (database: string): Promise<boolean> =>
  create(database).then(
    () => true,
    () => false,
  );

const fill = async (path: string, content: Content): Promise<void> => {
  await create(path);
  using client = openDatabase(path);
  for (const [table, rows] of Object.entries(content)) {
    const names = namesOf(table);
    const insert = client.prepare<never, object>(
      `INSERT INTO ${table} (${names}) VALUES (${names.map((name) => `$${name}`)})`,
    );
    for (const row of rows) insert.run(Object.fromEntries(names.map((name, index) => [name, row[index]])));
  }
};

/** Deliveries have no order; the other rows are read in the order of their insertion. */
const read = (path: string): Content => {
  using client = runtime.openSqlite(path, { isReadOnly: true });
  const read = (name: string): Row[] => {
    const order = name === 'deliveries' ? 'webhook_id, sequence, number' : 'rowid';
    return rowsOf(client, `SELECT ${namesOf(name)} FROM ${name} ORDER BY ${order}`) as Row[];
  };
  return Object.fromEntries(tables.map(({ name }) => [name, read(name)]));
};

/** A copy is a separate store, for which no process sends yet. */
const withoutLeases = (content: Content): Content => {
  const columns = namesOf('webhooks');
  const noLease = new Map<string, Row[number]>([
    ['lease_owner', null],
    ['lease_epoch', 0n],
    ['lease_expires_at', null],
  ]);
  const withoutLease = (row: Row): Row =>
    row.map((value, index) => {
      const none = noLease.get(columns[index] ?? '');
      return none === undefined ? value : none;
    });
  return { ...content, webhooks: (content['webhooks'] ?? []).map(withoutLease) };
};

const int64: fc.Arbitrary<bigint | string> = fc.oneof(
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom(-(2n ** 63n), 2n ** 63n - 1n, 0n, 2n ** 53n + 1n),
);
const text: fc.Arbitrary<bigint | string> = fc.oneof(
  fc.string({ unit: anyCharacter }).map((any) => any.replaceAll('\0', '')),
  fc.constantFrom('', 'NULL', 'null', '{}', '{a,"b"}', '"', '\\', "'", '🌱', '\uffff', ' a ', '\r\n', '12', '1e3'),
);

const bytes: fc.Arbitrary<Uint8Array> = fc.uint8Array({ maxLength: 40 }).map((any) => new Uint8Array(any));

const arbitraries: Readonly<Record<string, fc.Arbitrary<bigint | string | Uint8Array>>> = {
  integer: int64,
  blob: bytes,
};

/** Rows with values of the types of their columns, without two of the same key. */
const contents: fc.Arbitrary<Content> = fc.record(
  Object.fromEntries(
    tables.map(({ name, columns, keys }) => {
      const values = columns.map((column) => {
        const value = arbitraries[column.getSQLType()] ?? text;
        return column.notNull ? value : fc.option(value);
      });
      const isKey = columns.map((column) => keys.includes(column));
      const rows = fc.uniqueArray(fc.tuple(...values), {
        comparator: (one: Row, other: Row) => one.some((value, at) => isKey[at] && value === other[at]),
        maxLength: 8,
      });
      const isTextKey = columns.map((column) => keys.includes(column) && column.getSQLType() === 'text');
      const withKeys = (row: Row, index: number): Row =>
        row.map((value, at) => (isTextKey[at] ? `${value}#${index}` : value));
      return [name, rows.map((list) => list.map(withKeys))];
    }),
  ),
);

test('any rows are the same after a copy from SQLite to PostgreSQL, to PostgreSQL, to SQLite, and to SQLite', async () => {
  await fc.assert(
    fc.asyncProperty(contents, async (content) => {
      using folder = temporaryFolder();
      await using one = await freshDatabase();
      await using other = await freshDatabase();
      const path = [folder.file('a'), one.url, other.url, folder.file('b'), folder.file('c')];
      await fill(folder.file('a'), content);
      for (const [index, to] of path.slice(1).entries()) await copy(path[index] ?? '', to);
      const expected = withoutLeases(read(folder.file('a')));
      expect(read(folder.file('b'))).toEqual(expected);
      expect(read(folder.file('c'))).toEqual(expected);
    }),
    { numRuns: 8, endOnFailure: true, interruptAfterTimeLimit: 20_000 },
  );
});

/** A row with these values. The others are null. */
const rowOf = (table: string, values: Readonly<Record<string, Row[number]>>): Row =>
  namesOf(table).map((name) => values[name] ?? null);

const plantRow = (id: bigint): Row =>
  rowOf('plants', { id, name: `n${id}`, created_at: '2026-01-01', updated_at: '2026-01-01' });

const plantRows = (count: number): Row[] => Array.from({ length: count }, (_, id) => plantRow(BigInt(id)));

test.each([1000, 2001])('a table of %d rows, which are read in batches, is copied whole', async (count) => {
  using folder = temporaryFolder();
  await using database = await freshDatabase();
  const rows = plantRows(count);
  rows.push(plantRow(2n ** 63n - 1n));
  await fill(folder.file('a'), { plants: rows });
  await copy(folder.file('a'), database.url);
  await copy(database.url, folder.file('b'));
  expect(read(folder.file('b'))['plants']).toEqual(rows);
});

/** A row of this table, with only the values that it must have. */
const anyRow = (table: string): Row =>
  (tables.find(({ name }) => name === table)?.columns ?? []).map((column) => {
    if (!column.notNull) return null;
    return anyValues[column.getSQLType()] ?? 'x';
  });

const anyValues: Readonly<Record<string, Row[number]>> = { integer: 1n, blob: new Uint8Array([0, 255]) };

/** The columns that both engines have, with their types. */
const columnsOf = (table: Table): Record<string, string> =>
  Object.fromEntries(
    Object.entries(getTableColumns(table))
      .filter(([, column]) => !column.generatedIdentity)
      .map(([name, column]) => [name, types[column.getSQLType()] ?? `unknown: ${column.getSQLType()}`]),
  );

/** Those whose values a copy reads and writes. */
const types: Readonly<Record<string, string>> = {
  integer: 'int64',
  bigint: 'int64',
  text: 'text',
  'text COLLATE "C"': 'text',
  blob: 'bytes',
  bytea: 'bytes',
};

test('both engines have the same tables to copy, with the same columns, of types that a copy knows', () => {
  const shapeOf = (all: readonly Table[], others: readonly Table[]) =>
    Object.fromEntries(
      all.filter((table) => !others.includes(table)).map((table) => [getTableName(table), columnsOf(table)]),
    );
  const shape = shapeOf(tablesOf(sqliteSchema), notCopied.SQLite);
  expect(shape).toEqual(shapeOf(tablesOf(postgresSchema), notCopied.PostgreSQL));
  expect(Object.keys(shape)).toContain('plants');
  expect(JSON.stringify(shape)).not.toContain('unknown');
});

test('a table that is added to the schema is copied', () => {
  const growth = sqliteTable('growth', { id: textColumn('id').primaryKey() });
  const names = copiedTables({ ...sqliteSchema, growth }, notCopied.SQLite, isLeaseColumn).map(({ name }) => name);
  expect(names.toSorted()).toEqual([...tables.map(({ name }) => name), 'growth'].sort());
});

test.each([
  ['an identity column', bigint('id', { mode: 'bigint' }).primaryKey().generatedByDefaultAsIdentity()],
  ['an identity column of its own', bigint('id', { mode: 'bigint' }).primaryKey().generatedAlwaysAsIdentity()],
  ['a serial one', bigserial('id', { mode: 'bigint' }).primaryKey()],
])('a table whose id is %s is refused when it is declared', (_what, id) => {
  const growth = pgTable('growth', { id });
  expect(() => copiedTables({ growth }, [], isLeaseColumn)).toThrow('The database generates growth.id,');
});

const databaseOf = {
  SQLite: async () => {
    const folder = temporaryFolder();
    return { url: folder.file('a.sqlite'), [Symbol.asyncDispose]: async () => folder[Symbol.dispose]() };
  },
  PostgreSQL: freshDatabase,
};

describe.each(['SQLite', 'PostgreSQL'] as const)('%s', (engine) => {
  test.each(tables.map(({ name }) => name))('a database with a row only in %s is refused as a target', async (name) => {
    using folder = temporaryFolder();
    await using database = await databaseOf[engine]();
    await fill(folder.file('row'), { [name]: [anyRow(name)] });
    await copy(folder.file('row'), database.url);
    await fill(folder.file('source'), { plants: plantRows(3) });
    await expect(copy(folder.file('source'), database.url)).rejects.toThrow('is not empty');
    await copy(database.url, folder.file('back'));
    expect(read(folder.file('back'))).toEqual(withoutLeases(read(folder.file('row'))));
  });

  test('a copy that fails after many rows leaves the database empty', async () => {
    await using database = await databaseOf[engine]();
    {
      await using target = await openExclusive(database.url);
      const failing = async function* (): AsyncGenerator<Rows> {
        yield* manyRows(5);
        throw new Error('the source failed');
      };
      await expect(target.restore(failing())).rejects.toThrow('the source failed');
    }
    await using target = await openExclusive(database.url);
    expect(await target.count()).toBe(0);
    await target.restore(manyRows(2));
    expect(await target.count()).toBe(2000);
  });

  test('a process that is killed during a copy leaves the database empty and unlocked', async () => {
    await using database = await databaseOf[engine]();
    await create(database.url);
    const writer = join(import.meta.dirname, 'copy-writer.ts');
    await using child = Bun.spawn([process.execPath, writer, database.url], { stdout: 'pipe' });
    await readUntil(child.stdout.getReader(), 'written');
    await expect(openExclusive(database.url)).rejects.toThrow(/locked by another program|being copied/);
    child.kill('SIGKILL');
    await child.exited;
    // A server detects it after a moment.
    await until(() => canOpen(database.url));
    await using target = await openExclusive(database.url);
    expect(await target.count()).toBe(0);
  });

  test('rows with a column that the database does not have are refused', async () => {
    await using database = await databaseOf[engine]();
    await using target = await openExclusive(database.url);
    const rows = async function* (): AsyncGenerator<Rows> {
      for await (const batch of manyRows(1)) yield { ...batch, columns: [...batch.columns, 'other'] };
    };
    await expect(target.restore(rows())).rejects.toThrow('The columns of plants are not known.');
  });

  test('rows of a table that the database does not have are refused, and leave it empty', async () => {
    await using database = await databaseOf[engine]();
    {
      await using target = await openExclusive(database.url);
      const rows = async function* (): AsyncGenerator<Rows> {
        yield* manyRows(1);
        yield { table: 'growth', columns: ['id'], rows: [[1n]] };
      };
      await expect(target.restore(rows())).rejects.toThrow('The table growth is not known.');
    }
    await using target = await openExclusive(database.url);
    expect(await target.count()).toBe(0);
  });
});

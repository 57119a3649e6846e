/** Imports into PostgreSQL, and exports from it. The formats are tested on SQLite. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { SQL } from 'bun';
import { temporaryFolder } from '../support/folder.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';
import { runCommand } from '../support/programs/command.ts';
import { type Outcome, underTest } from '../support/programs/process.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let folder: ReturnType<typeof temporaryFolder>;
let sql: SQL;
beforeEach(async () => {
  database = await freshDatabase();
  folder = temporaryFolder();
  sql = new SQL(database.url, { max: 1 });
});
afterEach(async () => {
  await sql.close();
  folder[Symbol.dispose]();
  await database[Symbol.asyncDispose]();
});

const run = (...args: string[]): Promise<Outcome> => runCommand([...args, '--database', database.url]);

const countOf = async (table: string): Promise<number> =>
  (await sql.unsafe(`SELECT count(*)::int AS total FROM ${table}`))[0].total;

const writePlants = (name: string, ids: readonly number[]): string => {
  const file = folder.file(name);
  writeFileSync(file, `id,name,tag\n${ids.map((id) => `${id},"n ""${id}"", \\{}",t\n`).join('')}`);
  return file;
};

const range = (from: number, count: number): number[] => Array.from({ length: count }, (_, n) => from + n);

test('an export from PostgreSQL gives the same bytes after an import and another export', async () => {
  const [first, second] = [folder.file('first.ndjson'), folder.file('second.ndjson')];
  const plants = ['-9223372036854775808', '9223372036854775807', '0', '9007199254740993'];
  const names = ['', 'é😀', '"\\{}NULL,', 'NULL'];
  writeFileSync(first, plants.map((id, n) => `{"id":${id},"name":${JSON.stringify(names[n])}}\n`).join(''));
  expect((await run('import', first)).stderr).toContain('4 created');
  expect((await run('export', second)).exitCode).toBe(0);
  await sql`DELETE FROM plants`;
  expect((await run('import', second)).exitCode).toBe(0);
  expect((await run('export', '-')).stdout).toBe(readFileSync(second, 'utf8'));
  // By ascending id.
  const exported: { name: string }[] = JSON.parse(`[${readFileSync(second, 'utf8').trim().split('\n')}]`);
  expect(exported.map(({ name }) => name)).toEqual(['', '"\\{}NULL,', 'NULL', 'é😀']);
});

test('an import appends an event for each plant, in the order of the file, after the existing events', async () => {
  await run('import', writePlants('a.csv', [5]));
  const ids = range(1000, 2500).reverse();
  const { stderr } = await run('import', writePlants('b.csv', [...ids, 5]));
  expect(stderr).toContain('2500 created, 0 replaced, 1 unchanged');
  const events = await sql`SELECT sequence::int, plant_id::int FROM events ORDER BY sequence`.values();
  expect([...events].map(([, id]) => id)).toEqual([5, ...ids]);
  expect([...events].map(([sequence]) => sequence)).toEqual(range(1, 2501));
});

describe('a plant whose id is taken', () => {
  test.each([
    ['fail', 1, [], '1 row is invalid; nothing was imported.'],
    ['skip', 0, [1, 2, 3], '2 created, 0 replaced, 0 unchanged, 1 skipped'],
    ['replace', 0, [1, 2, 3], '2 created, 1 replaced, 0 unchanged, 0 skipped'],
  ])('--on-conflict %s applies to a plant on PostgreSQL whose id is taken', async (how, exitCode, added, words) => {
    const before = writePlants('a.csv', [2]);
    await run('import', before);
    writeFileSync(folder.file('b.csv'), 'id,name\n1,new\n2,new\n3,new\n');
    const outcome = await run('import', folder.file('b.csv'), '--on-conflict', how);
    expect(outcome).toMatchObject({ exitCode });
    expect(outcome.stderr).toContain(words);
    expect((await sql`SELECT id::int FROM plants ORDER BY id`.values()).flat()).toEqual(added.length > 0 ? added : [2]);
    expect(await countOf('events')).toBe(how === 'replace' ? 4 : how === 'skip' ? 3 : 1);
  });
});

test('an import that is killed leaves nothing in PostgreSQL, and other clients write meanwhile', async () => {
  const file = writePlants('a.csv', range(1, 100_000));
  const args = [...underTest, 'import', file, '--database', database.url];
  await run('import', writePlants('one.csv', [200_000]));
  const child = Bun.spawn(args, { stdout: 'ignore', stderr: 'ignore' });
  const isImporting = async (): Promise<boolean> => {
    const [row] = await sql`
      SELECT count(*)::int AS sessions FROM pg_stat_activity
      WHERE datname = current_database() AND query LIKE '%collected_events%' AND pid <> pg_backend_pid()`;
    return row.sessions > 0;
  };
  await until(isImporting);
  expect((await run('import', writePlants('two.csv', [300_000]))).stderr).toContain('1 created');
  child.kill('SIGKILL');
  await child.exited;
  expect(await countOf('plants')).toBe(2);
  expect(await countOf('events')).toBe(2);
});

test('an import that waits for its pipe has no transaction open in PostgreSQL', async () => {
  const child = Bun.spawn([...underTest, 'import', '-', '--partial', '--database', database.url], {
    cwd: folder.path,
    stdin: 'pipe',
    stderr: 'pipe',
  });
  child.stdin.write('{"id":1,"name":"n"}\nbad\n');
  await child.stdin.flush();
  await until(() => readdirSync(folder.path).some((name) => name.startsWith('stdin.rejected.')));
  const [row] = await sql`
    SELECT count(*)::int AS sessions FROM pg_stat_activity
    WHERE datname = current_database() AND backend_type = 'client backend'
      AND xact_start IS NOT NULL AND pid <> pg_backend_pid()`;
  expect(row.sessions).toBe(0);
  child.stdin.end();
  expect(await child.stderr.text()).toContain('1 created');
});

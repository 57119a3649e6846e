import { Database } from 'bun:sqlite';
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Commit, createCommit } from '../src/store/sqlite/commit.ts';

let folder: string;
let client: Database;
let commit: Commit;
let fatal: Error[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  client = new Database(join(folder, 'commit.sqlite'));
  client.run('PRAGMA journal_mode = WAL');
  client.run('CREATE TABLE t (x)');
  fatal = [];
  commit = createCommit(client, (error) => fatal.push(error));
});
afterEach(() => {
  client.close();
  rmSync(folder, { recursive: true });
});

const insert = (value: string): void => void client.run('INSERT INTO t VALUES (?)', [value]);
const rows = (): unknown[] =>
  client
    .query<{ x: string }, []>('SELECT x FROM t')
    .all()
    .map(({ x }) => x.slice(0, 9));

test('what a change returns comes back once it is committed', async () => {
  expect(
    await commit(() => {
      insert('a');
      return client.inTransaction;
    }),
  ).toBe(true);
  expect(client.inTransaction).toBe(false);
  expect(rows()).toEqual(['a']);
});

test('a change that throws is rolled back, and its error comes back as it is', async () => {
  const error = new Error('no');
  const change = commit(() => {
    insert('a');
    throw error;
  });
  await expect(change).rejects.toBe(error);
  expect(rows()).toEqual([]);
  await commit(() => insert('b'));
  expect(rows()).toEqual(['b']);
});

test('a full disk refuses the write and keeps the rest; with room again, writes go on by themselves', async () => {
  await commit(() => insert('a'));
  // SQLite's own bound on pages answers SQLITE_FULL, as it does for ENOSPC.
  client.run('PRAGMA max_page_count = 3');
  await expect(commit(() => insert('x'.repeat(100_000)))).rejects.toMatchObject({ code: 'unavailable' });
  expect(rows()).toEqual(['a']);
  client.run('PRAGMA max_page_count = 1000');
  await commit(() => insert('big'.repeat(30_000)));
  expect(rows()).toEqual(['a', 'bigbigbig']);
  expect(fatal).toEqual([]);
});

test('writes wait for another process that holds the lock, all at once and without holding up the rest', async () => {
  client.run('PRAGMA busy_timeout = 0');
  using other = new Database(join(folder, 'commit.sqlite'));
  other.run('BEGIN IMMEDIATE');
  let ticks = 0;
  const clock = setInterval(() => {
    ticks += 1;
  }, 20);
  const startedAtMs = performance.now();
  const writes = Array.from({ length: 5 }, () => commit(() => insert('a')));
  for (const outcome of await Promise.allSettled(writes)) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
  }
  clearInterval(clock);
  expect(performance.now() - startedAtMs).toBeLessThan(8000);
  expect(ticks).toBeGreaterThan(50);

  const waiting = commit(() => insert('b'));
  await Bun.sleep(100);
  other.run('ROLLBACK');
  await waiting;
  expect(rows()).toEqual(['b']);
}, 15_000);

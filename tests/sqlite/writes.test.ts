import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SqliteClient } from '../../src/runtime/runtime.ts';
import { memory } from '../../src/sqlite/client.ts';
import { busyTimeoutMs, type Fatal } from '../../src/sqlite/errors.ts';
import { createFileIdentity } from '../../src/sqlite/file.ts';
import { batchMax, queueMax } from '../../src/sqlite/queue.ts';
import { createTransactions, type Transactions } from '../../src/sqlite/transactions.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { firstOf, openDatabase, rowsOf } from '../support/store/sqlite.ts';
import { createStoreReports, type StoreReports } from '../support/store/store-reports.ts';

let folder: string;
let client: SqliteClient;
let transact: Transactions['transact'];
let fatal: Fatal[];
let reports: StoreReports;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plant-store-'));
  client = openDatabase(join(folder, 'commit.sqlite'));
  client.run('PRAGMA journal_mode = WAL');
  client.run('CREATE TABLE t (x)');
  fatal = [];
  reports = createStoreReports();
  transact = createTransactions(client, createFileIdentity(memory, memory), {
    onFatal: (error) => fatal.push(error),
    observer: reports.observer,
  }).transact;
});
afterEach(() => {
  client.close();
  rmSync(folder, { recursive: true });
});

const insert = (value: string): void =>
  void client.prepare<never, { value: string }>('INSERT INTO t VALUES ($value)').run({ value });
const rows = (): unknown[] => rowsOf(client, 'SELECT x FROM t').map(([x]) => `${x}`.slice(0, 9));

/** The number of transactions in the log: its commit frames, which have the size of the database (https://www.sqlite.org/walformat.html). */
const transactions = (): number => {
  const log = readFileSync(join(folder, 'commit.sqlite-wal'));
  const [headerBytes, frameBytes] = [32, 24 + log.readUInt32BE(8)];
  let count = 0;
  for (let at = headerBytes; at < log.length; at += frameBytes) count += log.readUInt32BE(at + 4) === 0 ? 0 : 1;
  return count;
};

test('a write resolves to what its change returns, once that is committed', async () => {
  expect(
    await transact(() => {
      insert('a');
      return client.inTransaction;
    }),
  ).toBe(true);
  expect(client.inTransaction).toBe(false);
  expect(rows()).toEqual(['a']);
});

test('a change that throws is rolled back, and its error is returned unchanged', async () => {
  const error = new Error('no');
  const change = transact(() => {
    insert('a');
    throw error;
  });
  await expect(change).rejects.toBe(error);
  expect(rows()).toEqual([]);
  await transact(() => insert('b'));
  expect(rows()).toEqual(['b']);
});

test('a write to a full disk is refused and changes nothing; writes succeed once there is space', async () => {
  await transact(() => insert('a'));
  // SQLite's limit on pages gives SQLITE_FULL, like ENOSPC.
  client.run('PRAGMA max_page_count = 3');
  await expect(transact(() => insert('x'.repeat(100_000)))).rejects.toMatchObject({ code: 'unavailable' });
  expect(rows()).toEqual(['a']);
  client.run('PRAGMA max_page_count = 1000');
  await transact(() => insert('big'.repeat(30_000)));
  expect(rows()).toEqual(['a', 'bigbigbig']);
  expect(fatal).toEqual([]);
});

test('writes wait together for a lock of another process, and block nothing else', async () => {
  client.run('PRAGMA busy_timeout = 0');
  using other = openDatabase(join(folder, 'commit.sqlite'));
  other.run('BEGIN IMMEDIATE');
  using clock = stopClock();
  const outcomes: unknown[] = [];
  for (let count = 0; count < 5; count += 1) transact(() => insert('a')).catch(({ code }) => outcomes.push(code));
  // A wait that blocks would end here, or never.
  await clock.pass(busyTimeoutMs - 100);
  expect(outcomes).toEqual([]);
  await clock.pass(200);
  expect(outcomes).toEqual(Array(5).fill('unavailable'));

  const waiting = transact(() => insert('b'));
  await clock.pass(100);
  other.run('ROLLBACK');
  await clock.pass(100);
  await waiting;
  expect(rows()).toEqual(['b']);
});

test('writes that arrive together share a transaction and are answered in their order', async () => {
  const before = transactions();
  const answered: number[] = [];
  const writes = Array.from({ length: 100 }, async (_, index) => {
    await transact(() => insert(`${index}`));
    answered.push(index);
  });
  await Promise.all(writes);
  expect(transactions() - before).toBe(1);
  expect(answered).toEqual(Array.from(answered.keys()));
  expect(rows()).toHaveLength(100);
});

test('no write is answered before another connection can read it', async () => {
  using other = openDatabase(join(folder, 'commit.sqlite'));
  const seen = () => firstOf(other, 'SELECT count(*) FROM t');
  const counts = await Promise.all(['a', 'b', 'c'].map((value) => transact(() => insert(value)).then(seen)));
  expect(counts).toEqual([3n, 3n, 3n]);
});

test('a failed write is rolled back, and the others in its batch are not', async () => {
  const fail = (): void => {
    insert('half');
    throw new Error('no');
  };
  const outcomes = await Promise.allSettled([
    transact(() => insert('a')),
    transact(fail),
    transact(() => insert('b')),
    transact(fail),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  expect(rows()).toEqual(['a', 'b']);
});

test('writes that must run again wait for a process that has taken the lock in between', async () => {
  using other = openDatabase(join(folder, 'commit.sqlite'));
  const begin = client.prepare('BEGIN IMMEDIATE');
  let begins = 0;
  const run = () => {
    begins += 1;
    if (begins === 2) other.run('BEGIN IMMEDIATE');
    return begin.run();
  };
  const racing: SqliteClient = Object.assign(Object.create(client), {
    prepare: (sql: string) => (sql === 'BEGIN IMMEDIATE' ? { run } : client.prepare(sql)),
  });
  const { transact } = createTransactions(racing, createFileIdentity(memory, memory), { observer: reports.observer });
  using clock = stopClock();
  const fail = (): void => {
    throw new Error('no');
  };
  const writes = Promise.allSettled([transact(() => insert('a')), transact(fail), transact(() => insert('b'))]);
  await clock.pass(100);
  expect(begins).toBeGreaterThan(2);
  other.run('ROLLBACK');
  await clock.pass(100);
  expect((await writes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(rows()).toEqual(['a', 'b']);
  expect(reports.batches.map(({ writes, isCommitted }) => ({ writes, isCommitted }))).toEqual([
    { writes: 3, isCommitted: true },
  ]);
});

test('a write resolves to its committed result, although it ran twice because another one failed', async () => {
  let runs = 0;
  const count = (): number => {
    runs += 1;
    insert(`${runs}`);
    return runs;
  };
  const fail = (): void => {
    throw new Error('no');
  };
  const outcomes = await Promise.allSettled([transact(count), transact(fail), transact(count)]);
  // All were rolled back at the failure of the second one, before the third one ran.
  expect(runs).toBe(3);
  expect(outcomes).toMatchObject([{ value: 2 }, { reason: { message: 'no' } }, { value: 3 }]);
  expect(rows()).toEqual(['2', '3']);
});

test('a write sees what an earlier one of the same transaction has written', async () => {
  const [, seen] = await Promise.all([transact(() => insert('a')), transact(rows)]);
  expect(seen).toEqual(['a']);
});

test('a transaction has at most batchMax writes, and the next ones commit the rest', async () => {
  const before = transactions();
  await Promise.all(Array.from({ length: 2 * batchMax + 1 }, () => transact(() => insert('a'))));
  expect(transactions() - before).toBe(3);
  expect(rows()).toHaveLength(2 * batchMax + 1);
});

// Only Linux counts them.
test.skipIf(!existsSync('/proc/self/io'))('a transaction of many writes writes nothing but its log', async () => {
  await Promise.all(Array.from({ length: batchMax }, () => transact(() => insert('x'.repeat(3000)))));
  const update = client.prepare<never, { row: bigint }>('UPDATE t SET x = upper(x) WHERE rowid = $row');
  const written = (): number => Number(/^wchar: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);
  const inLog = (): number => statSync(join(folder, 'commit.sqlite-wal')).size;
  const [writtenBefore, inLogBefore] = [written(), inLog()];
  await Promise.all(Array.from({ length: batchMax }, (_, row) => transact(() => update.run({ row: BigInt(row + 1) }))));
  expect(inLog() - inLogBefore).toBeGreaterThan(batchMax * 3000);
  expect(written() - writtenBefore - (inLog() - inLogBefore)).toBeLessThan(64 * 1024);
});

test('a write is refused immediately, and changes nothing, when queueMax others wait', async () => {
  const waiting = Array.from({ length: queueMax }, () => transact(() => insert('a')));
  await expect(transact(() => insert('b'))).rejects.toMatchObject({ code: 'unavailable' });
  await Promise.all(waiting);
  expect(rows()).toHaveLength(queueMax);
  await transact(() => insert('b'));
});

test('all writes of a transaction fail when the transaction fails', async () => {
  // SQLite does so automatically after some errors.
  const outcomes = await Promise.allSettled([
    transact(() => insert('a')),
    transact(() => {
      insert('x');
      client.run('ROLLBACK');
      throw new Error('gone');
    }),
    transact(() => insert('b')),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  expect(rows()).toEqual([]);
  await transact(() => insert('c'));
  expect(rows()).toEqual(['c']);
  expect(reports.batches).toMatchObject([
    { writes: 3, isCommitted: false },
    { writes: 1, isCommitted: true },
  ]);
});

test('a write does not affect another open transaction on the same connection', async () => {
  client.run('BEGIN');
  insert('theirs');
  await expect(transact(() => insert('a'))).rejects.toThrow('within a transaction');
  client.run('COMMIT');
  await transact(() => insert('b'));
  expect(rows()).toEqual(['theirs', 'b']);
});

import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import type { SqliteClient } from '../../src/runtime/runtime.ts';
import { memory } from '../../src/sqlite/client.ts';
import { busyTimeoutMs } from '../../src/sqlite/errors.ts';
import { createFileIdentity } from '../../src/sqlite/file.ts';
import { createTransactions, type Transactions } from '../../src/sqlite/transactions.ts';
import { temporaryFolder } from '../support/folder.ts';
import { stopClock } from '../support/stopped-clock.ts';
import { firstOf, openDatabase } from '../support/store/sqlite.ts';

/** These tests replace no file. */
const noFiles = createFileIdentity(memory, memory);

describe('a turn', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let client: SqliteClient;
  let other: SqliteClient;
  let turn: Transactions;
  beforeEach(() => {
    folder = temporaryFolder();
    client = openDatabase(folder.file('turn.sqlite'));
    client.run('PRAGMA journal_mode = WAL');
    client.run('CREATE TABLE t (x)');
    other = openDatabase(folder.file('turn.sqlite'));
    turn = createTransactions(client, noFiles);
  });
  afterEach(() => {
    turn.close();
    client.close();
    other.close();
    folder[Symbol.dispose]();
  });

  const insert = (database: SqliteClient): void => void database.run('INSERT INTO t VALUES (1)');
  const count = (): unknown => firstOf(client, 'SELECT count(*) FROM t');
  const turnReadMs = 5;
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

  test('reads of one turn see one state, and those of the next see what was committed meanwhile', async () => {
    const first = turn.read(() => {
      const seen = count();
      insert(other);
      return seen;
    });
    expect(await Promise.all([first, turn.read(count)])).toEqual([0n, 0n]);
    expect(await turn.read(count)).toBe(0n);
    await nextTurn();
    expect(await turn.read(count)).toBe(1n);
  });

  test('a read after another one of its turn runs immediately', async () => {
    await turn.read(count);
    let hasRun = false;
    const second = turn.read(() => {
      hasRun = true;
    });
    expect(hasRun).toBe(true);
    await second;
  });

  test('a loop over reads lets timers run, and each of its turns reads', async () => {
    turn = createTransactions(client, noFiles, { turnReadMs });
    let timers = 0;
    const timer = setInterval(() => {
      timers += 1;
    }, 1);
    let reads = 0;
    while (timers < 3) reads += Number(await turn.read(() => 1));
    clearInterval(timer);
    expect(reads).toBeGreaterThanOrEqual(timers);
  });

  test('a read that takes longer than a turn reads does not keep others from their turn', async () => {
    turn = createTransactions(client, noFiles, { turnReadMs });
    const slow = (): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    await Promise.all([turn.read(slow), turn.read(slow), turn.read(slow)]);
    await turn.read(slow);
    expect(await turn.read(count)).toBe(0n);
  });

  test('a write after a read is committed in the turn of that read', async () => {
    let isCommitted = false;
    const writing = turn
      .read(count)
      .then(() => turn.transact(() => insert(client)))
      .then(() => {
        isCommitted = true;
      });
    await nextTurn();
    expect(isCommitted).toBe(true);
    await writing;
  });

  test('a read after a write sees the write', async () => {
    await turn.transact(() => insert(client));
    expect(await turn.read(count)).toBe(1n);
  });

  test('no transaction is open after a turn', async () => {
    await turn.read(count);
    expect(client.inTransaction).toBe(true);
    await nextTurn();
    expect(client.inTransaction).toBe(false);
  });

  test('a read that throws rejects, and the other reads of its turn succeed', async () => {
    const error = new Error('no');
    const fail = (): void => {
      throw error;
    };
    const outcomes = await Promise.allSettled([turn.read(fail), turn.read(count)]);
    expect(outcomes).toEqual([
      { status: 'rejected', reason: error },
      { status: 'fulfilled', value: 0n },
    ]);
    await expect(turn.read(fail)).rejects.toBe(error);
  });

  test('a commit of another connection changes the version of the data for the reads of the next turn, and an own one does not', async () => {
    const version = await turn.read(turn.dataVersion);
    expect(version).toBeDefined();
    await turn.transact(() => insert(client));
    expect(await turn.read(turn.dataVersion)).toBe(version);
    await nextTurn();
    insert(other);
    expect(await turn.read(turn.dataVersion)).not.toBe(version);
  });

  test('reads do not affect another open transaction on the same connection', async () => {
    client.run('BEGIN');
    insert(client);
    expect(await turn.read(count)).toBe(1n);
    await nextTurn();
    expect(client.inTransaction).toBe(true);
    client.run('ROLLBACK');
    expect(await turn.read(count)).toBe(0n);
  });

  describe('while another process has locked the database', () => {
    let locking: SqliteClient;
    let locked: SqliteClient;
    beforeEach(() => {
      turn.close();
      client.close();
      other.close();
      locking = openDatabase(folder.file('turn.sqlite'));
      locking.run('PRAGMA locking_mode = EXCLUSIVE');
      locking.run('BEGIN EXCLUSIVE');
      locked = openDatabase(folder.file('turn.sqlite'));
      locked.run('PRAGMA busy_timeout = 0');
      turn = createTransactions(locked, noFiles);
    });
    afterEach(() => {
      locked.close();
      locking.close();
    });
    const countLocked = (): unknown => firstOf(locked, 'SELECT count(*) FROM t');

    test('reads wait for a lock of another process, and are answered once it is released', async () => {
      using clock = stopClock();
      const waiting = [turn.read(countLocked), turn.read(countLocked)];
      await clock.pass(100);
      locking.close();
      await clock.pass(100);
      expect(await Promise.all(waiting)).toEqual([0n, 0n]);
      await nextTurn();
      expect(locked.inTransaction).toBe(false);
    });

    test('a read that has waited five seconds for a lock is refused, and nothing else was blocked', async () => {
      using clock = stopClock();
      const outcomes: unknown[] = [];
      turn.read(countLocked).catch(({ code }) => outcomes.push(code));
      await clock.pass(busyTimeoutMs - 100);
      expect(outcomes).toEqual([]);
      await clock.pass(200);
      expect(outcomes).toEqual(['unavailable']);
    });
  });
});

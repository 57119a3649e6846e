import { existsSync } from 'node:fs';
import { runtime } from '#runtime';
import { codeOf } from '../base/error.ts';
import { isDiskFull } from '../base/error-report.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { isDiskFailure, retryWhileLocked } from './errors.ts';
import { syncLog } from './file.ts';

export const memory = ':memory:';

/**
 * Opens and sets up a client. The order of the pragmas matters. With `isExclusive` no other connection, of any process, can use the
 * database until the client is closed. It fails while there is another connection.
 */
export const connect = (path: string, options: ConnectOptions = {}): SqliteClient =>
  closeOnFailure(runtime.openSqlite(path), (client) => setUp(client, options));

/** Returns the client after `use`, or closes it if `use` throws: it would keep its locks until it is garbage-collected. */
export const closeOnFailure = (client: SqliteClient, use: (client: SqliteClient) => void): SqliteClient => {
  try {
    use(client);
    return client;
  } catch (error) {
    client.close();
    throw error;
  }
};

/**
 * Opens a client to read. On a disk without a free byte SQLite has no space for the file `-shm`, in which processes share the index of the
 * log. Then `open` is called again with `isExclusive`: the client that has the database alone keeps that index in memory.
 */
export const openAlsoOnFullDisk = <Client>(open: (options: { readonly isExclusive: boolean }) => Client): Client => {
  try {
    return open({ isExclusive: false });
  } catch (error) {
    if (!isDiskFull(error)) throw error;
    return open({ isExclusive: true });
  }
};

/** Only before the first use of the log: after it, SQLite would share the log. */
export const lockExclusively = (client: SqliteClient): void => void client.run('PRAGMA locking_mode = EXCLUSIVE');

export const isLockedExclusively = (client: SqliteClient): boolean =>
  client.prepare<{ locking_mode: string }>('PRAGMA locking_mode').all()[0]?.locking_mode === 'exclusive';

/**
 * Opens a client to read a file that this process may not write, as on a read-only medium. SQLite then cannot create the index of a log, which
 * it needs for a file in WAL mode. Without a log, no process has that open, so the file is read as one that cannot change.
 */
export const openUnwritable = (path: string): SqliteClient => {
  try {
    return closeOnFailure(runtime.openSqlite(path, { isReadOnly: true }), readSchemaVersion);
  } catch (error) {
    if (!/^SQLITE_(?:CANTOPEN|READONLY)/.test(codeOf(error) ?? '') || existsSync(`${path}-wal`)) throw error;
    return closeOnFailure(runtime.openSqlite(path, { isImmutable: true }), readSchemaVersion);
  }
};

const readSchemaVersion = (client: SqliteClient): void => void client.prepare('PRAGMA schema_version').all();

/** Opens and sets up such a client. */
export const connectToRead = (path: string): SqliteClient =>
  closeOnFailure(openUnwritable(path), (client) => {
    client.run('PRAGMA busy_timeout = 5000');
    client.run('PRAGMA trusted_schema = OFF');
    client.run('PRAGMA query_only = ON');
  });

export const isQueryOnly = (client: SqliteClient): boolean =>
  client.prepare<{ query_only: bigint }>('PRAGMA query_only').all()[0]?.query_only === 1n;

interface ConnectOptions {
  readonly isExclusive?: boolean;
}

const setUp = (client: SqliteClient, { isExclusive = false }: ConnectOptions): void => {
  // First: the other pragmas may have to wait for another process, and would fail immediately without it.
  client.run(`PRAGMA busy_timeout = ${isExclusive ? 1000 : 5000}`);
  if (isExclusive) lockExclusively(client);
  // Readers and the writer do not wait for each other, and a commit appends instead of rewriting pages.
  client.run('PRAGMA journal_mode = WAL');
  // A commit returns when the log is synced. WAL's usual NORMAL would lose acknowledged rows in a power cut.
  client.run('PRAGMA synchronous = FULL');
  // On macOS a plain fsync does not flush the cache of the drive.
  client.run('PRAGMA fullfsync = ON');
  client.run('PRAGMA checkpoint_fullfsync = ON');
  // SQLite has read the log by now. A process that was killed may have written its last commit and not synced it.
  syncLog(client.filename);
  client.run('PRAGMA foreign_keys = ON');
  // The schema of a file from another source must not call functions.
  client.run('PRAGMA trusted_schema = OFF');
  // The first transaction acquires the lock, and the connection keeps it.
  if (isExclusive) runInTransaction(client, () => {});
};

/** Runs `change` in a transaction that begins with the write lock. It is rolled back when `change` throws. */
export const runInTransaction = <Result>(client: SqliteClient, change: () => Result): Result => {
  client.run('BEGIN IMMEDIATE');
  try {
    const result = change();
    client.run('COMMIT');
    return result;
  } catch (error) {
    if (client.inTransaction) client.run('ROLLBACK');
    throw error;
  }
};

/** Runs `write` in one transaction of a client that nothing else uses. It is rolled back when `write` rejects. */
export const writeInBulk = async <Result>(client: SqliteClient, write: () => Promise<Result>): Promise<Result> => {
  // Rows in random order touch pages all over the file; if the cache has room for them, each page is written once.
  client.run(`PRAGMA cache_size = -${64 * 1024}`);
  await retryWhileLocked(() => client.run('BEGIN IMMEDIATE'));
  try {
    const result = await write();
    client.run('COMMIT');
    return result;
  } catch (error) {
    if (client.inTransaction && !isDiskFailure(error)) client.run('ROLLBACK');
    throw error;
  }
};

/** After this, `retryWhileLocked` and `transactions.ts` wait for locks of other processes, since SQLite would block the event loop. */
export const neverBlocking = (client: SqliteClient): SqliteClient => {
  client.run('PRAGMA busy_timeout = 0');
  return client;
};

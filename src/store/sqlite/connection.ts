import { runtime } from '#runtime';
import type { SqliteClient } from '../../runtime/runtime.ts';
import type { Topic } from '../store.ts';
import { type Fatal, type FileReplaced, isDiskFailure, isSqliteError, retryWhileLocked, toFatal } from './errors.ts';
import type { FileIdentity } from './file.ts';
import { createTurn, type TurnOptions } from './turn.ts';

export const memory = ':memory:';

/** One connection, one way to read and one way to write, for all parts of the store. */
export type Connection = ReturnType<typeof createConnection>;

export interface ConnectionOptions extends Pick<TurnOptions, 'observer' | 'turnReadMs'> {
  /** Called once when the disk fails or the files are replaced, and the process must stop. All later reads and writes are rejected. */
  readonly onFatal?: (fatal: Fatal) => void;
  /** The time of changes to plants, of new webhooks and of test messages. Default: the system's clock. */
  readonly now?: () => Date;
}

/** Shares a client of the database at `path`. */
export const createConnection = (
  path: string,
  client: SqliteClient,
  identity: FileIdentity,
  { onFatal, observer = {}, now = () => new Date(), turnReadMs }: ConnectionOptions,
) => {
  let replaced: FileReplaced | undefined;
  let hasFailed = false;
  const fail = (error: Error): void => {
    if (!hasFailed) onFatal?.(toFatal(error));
    hasFailed = true;
  };
  const isReplaced = (check = identity.check): boolean => {
    if (replaced) return true;
    replaced = check();
    if (!replaced) return false;
    emptyOrphanedLog();
    fail(replaced);
    return true;
  };
  /** Checkpoints the log into its own database, wherever that is now, so that no other database gets it. */
  const emptyOrphanedLog = (): void => {
    if (!identity.isLogOrphaned()) return;
    try {
      turn.endReads();
      client.run('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!isSqliteError(error)) throw error;
    }
  };
  const throwIfReplaced = (check = identity.check): void => {
    if (isReplaced(check)) throw replaced;
  };
  const watching = setInterval(() => isReplaced(), watchMs).unref();

  const turn = createTurn(client, {
    beforeBegin: () => throwIfReplaced(identity.checkIndex),
    afterCommit: throwIfReplaced,
    onFatal: fail,
    observer,
    turnReadMs,
  });
  const listeners = new Set<(topic: Topic) => void>();
  const announce = (topic: Topic): void => {
    for (const listener of listeners) listener(topic);
  };
  return {
    client: neverBlocking(client),
    read: turn.read,
    commit: turn.commit,
    queued: turn.queued,
    dataVersion: turn.dataVersion,
    observer,
    now,
    /** Commits a write that may cause webhook messages, and then calls all subscribers. */
    commitAndAnnounce: async <Result>(topic: Topic, write: () => Result): Promise<Result> => {
      const result = await turn.commit(write);
      announce(topic);
      return result;
    },
    /** Calls the subscribers after another commit. */
    announce,
    /** Returns a function that ends the subscription. */
    subscribe: (listener: (topic: Topic) => void) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    /** Whether the files are not those that were opened any more. To be called after a commit of a borrowed client. */
    isReplaced: (): boolean => isReplaced(),
    /** Lends a client for a transaction that spans awaits. It must be disposed of. */
    borrow: (): BorrowedClient => {
      if (path === memory) {
        turn.endReads();
        return { client, isOwn: false, [Symbol.dispose]: () => {} };
      }
      throwIfReplaced();
      const own = neverBlocking(connect(path));
      const release = (): void => {
        turn.endReads();
        own.close();
      };
      return { client: own, isOwn: true, [Symbol.dispose]: release };
    },
    close: (): void => {
      clearInterval(watching);
      if (isReplaced()) {
        identity.extendIndex();
        // Again: a transaction that was open at the detection has kept the log.
        emptyOrphanedLog();
      }
      turn.close();
      client.close();
    },
  };
};

interface BorrowedClient extends Disposable {
  readonly client: SqliteClient;
  /** Whether the client is a separate connection; a database in memory has only one. */
  readonly isOwn: boolean;
}

/** The interval between checks of the files while nothing is written. */
const watchMs = 1000;

/**
 * Opens and sets up a client. The order of the pragmas matters. With `isExclusive` no other connection, of any process, can use the
 * database until the client is closed. It fails while there is another connection.
 */
export const connect = (path: string, { isExclusive = false } = {}): SqliteClient => {
  const client = runtime.openSqlite(path);
  // First: the other pragmas may have to wait for another process, and would fail immediately without it.
  client.run(`PRAGMA busy_timeout = ${isExclusive ? 1000 : 5000}`);
  // Before the first use of the log: after it, SQLite would share the log.
  if (isExclusive) client.run('PRAGMA locking_mode = EXCLUSIVE');
  // Readers and the writer do not wait for each other, and a commit appends instead of rewriting pages.
  client.run('PRAGMA journal_mode = WAL');
  // A commit returns when the log is synced. WAL's usual NORMAL would lose acknowledged rows in a power cut.
  client.run('PRAGMA synchronous = FULL');
  // On macOS a plain fsync does not flush the cache of the drive.
  client.run('PRAGMA fullfsync = ON');
  client.run('PRAGMA checkpoint_fullfsync = ON');
  client.run('PRAGMA foreign_keys = ON');
  // The schema of a file from another source must not call functions.
  client.run('PRAGMA trusted_schema = OFF');
  return client;
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

/** After this, `retryWhileLocked` and `turn.ts` wait for locks of other processes, since SQLite would block the event loop. */
const neverBlocking = (client: SqliteClient): SqliteClient => {
  client.run('PRAGMA busy_timeout = 0');
  return client;
};

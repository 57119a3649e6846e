import { Database, SQLiteError } from 'bun:sqlite';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import type { Change } from '../store.ts';
import type { Commit } from './commit.ts';
import { type Fatal, toFatal } from './failure.ts';
import type { Displaced, InPlace } from './in-place.ts';
import { createTurn } from './turn.ts';

export const memory = ':memory:';

/** What the parts of the store share: one connection, one way to read and one way to write. */
export interface Connection {
  readonly db: BunSQLiteDatabase;
  readonly read: <Result>(query: () => Result) => Promise<Result>;
  readonly commit: Commit;
  /** Calls `listener` before a read when another connection, of whatever process, has committed since the last one. */
  readonly onForeignCommit: (listener: () => void) => void;
  /** Commits what may have to be sent, and then tells all who have subscribed. */
  readonly change: <Result>(what: Change, write: () => Result) => Promise<Result>;
  /** Tells them of what was committed otherwise. */
  readonly announce: (what: Change) => void;
  /** Returns a function that ends the subscription. */
  readonly subscribe: (listener: (what: Change) => void) => () => void;
  /** Whether the files are still those that were opened: to be asked when a borrowed client has committed. */
  readonly isInPlace: () => boolean;
  /** Lends a client for a transaction that spans awaits. It must be disposed of. */
  readonly borrow: () => BorrowedClient;
  readonly close: () => void;
}

export interface BorrowedClient extends Disposable {
  readonly client: Database;
  /** Whether the client is a connection of its own; a database in memory has but one. */
  readonly isOwn: boolean;
}

/**
 * Shares out a client of the database at `path`. `onFatal` is called once when the disk fails, or a file of the database is no
 * longer the one that was opened; from then on nothing is read or written.
 */
export const createConnection = (
  path: string,
  client: Database,
  { inPlace, onFatal }: { inPlace: InPlace; onFatal?: ((fatal: Fatal) => void) | undefined },
): Connection => {
  let displaced: Displaced | undefined;
  let hasFailed = false;
  const fail = (error: Error): void => {
    if (!hasFailed) onFatal?.(toFatal(error));
    hasFailed = true;
  };
  const isDisplaced = (look: () => Displaced | undefined): boolean => {
    if (displaced) return true;
    displaced = look();
    if (!displaced) return false;
    emptyOrphanedLog();
    fail(displaced);
    return true;
  };
  /** Writes the log back into the database that it belongs to, wherever that is by now, so that no other one gets it. */
  const emptyOrphanedLog = (): void => {
    if (!inPlace.isLogOrphaned()) return;
    try {
      turn.endReads();
      client.run('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!(error instanceof SQLiteError)) throw error;
    }
  };
  const throwIfDisplaced = (look = inPlace.look): void => {
    if (isDisplaced(look)) throw displaced;
  };
  const watching = setInterval(() => isDisplaced(inPlace.look), watchMs).unref();

  const foreignCommitListeners: (() => void)[] = [];
  const turn = createTurn(client, {
    beforeBegin: () => throwIfDisplaced(inPlace.lookAtIndex),
    afterForeignCommit: () => {
      for (const listener of foreignCommitListeners) listener();
    },
    afterCommit: throwIfDisplaced,
    onFatal: fail,
  });
  const listeners = new Set<(what: Change) => void>();
  const announce = (what: Change): void => {
    for (const listener of listeners) listener(what);
  };
  return {
    db: drizzle({ client: neverBlocking(client) }),
    read: turn.read,
    commit: turn.commit,
    onForeignCommit: (listener) => void foreignCommitListeners.push(listener),
    change: async (what, write) => {
      const result = await turn.commit(write);
      announce(what);
      return result;
    },
    announce,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    borrow: () => {
      if (path === memory) {
        turn.endReads();
        return { client, isOwn: false, [Symbol.dispose]: () => {} };
      }
      throwIfDisplaced();
      const own = neverBlocking(connect(path));
      const giveBack = (): void => {
        turn.endReads();
        disconnect(own);
      };
      return { client: own, isOwn: true, [Symbol.dispose]: giveBack };
    },
    isInPlace: () => !isDisplaced(inPlace.look),
    close: () => {
      clearInterval(watching);
      if (isDisplaced(inPlace.look)) {
        inPlace.mendIndex();
        // Once more: a transaction that was open when this was noticed holds the log.
        emptyOrphanedLog();
      }
      turn.close();
      disconnect(client);
    },
  };
};

/** How often the files are looked at when nothing is written. */
const watchMs = 1000;

/** The one place where a client is set up; each pragma stands before those that depend on it. */
export const connect = (path: string): Database => {
  const client = new Database(path, { readwrite: true, create: path === memory, safeIntegers: true, strict: true });
  // First, because each of the others may have to wait for another process; without it they fail at once.
  client.run('PRAGMA busy_timeout = 5000');
  // Readers do not wait for the writer, nor the writer for them, and a commit appends instead of rewriting pages.
  client.run('PRAGMA journal_mode = WAL');
  // A commit returns when the log is synced. WAL's usual NORMAL would lose acknowledged rows in a power cut.
  client.run('PRAGMA synchronous = FULL');
  // On macOS a plain fsync stops at the drive's cache.
  client.run('PRAGMA fullfsync = ON');
  client.run('PRAGMA checkpoint_fullfsync = ON');
  client.run('PRAGMA foreign_keys = ON');
  // A schema that came with a file from elsewhere may not call functions.
  client.run('PRAGMA trusted_schema = OFF');
  return client;
};

/** Once a client is set up, a lock that another process holds is waited for by `whileLocked`, which lets the rest go on. */
const neverBlocking = (client: Database): Database => {
  client.run('PRAGMA busy_timeout = 0');
  return client;
};

/** Ends the connection for good: unless it is told to, SQLite keeps the file open for as long as a statement lives. */
export const disconnect = (client: Database): void => client.close(true);

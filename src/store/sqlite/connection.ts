import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import { type Commit, createCommit } from './commit.ts';
import { asAppError } from './failure.ts';

export const memory = ':memory:';

/** What the parts of the store share: one connection, one way to read and one way to write. */
export interface Connection {
  readonly db: BunSQLiteDatabase;
  readonly read: <Result>(query: () => Result) => Promise<Result>;
  readonly commit: Commit;
  /** Lends a client for a transaction that spans awaits. It must be disposed of. */
  readonly borrow: () => BorrowedClient;
}

export interface BorrowedClient extends Disposable {
  readonly client: Client;
  /** Whether the client is a connection of its own; a database in memory has but one. */
  readonly isOwn: boolean;
}

/** Shares out a client of the database at `path`; `onFatal` is called once when the disk fails. */
export const createConnection = (path: string, client: Client, onFatal?: (error: Error) => void): Connection => ({
  db: drizzle({ client }),
  read: async (query) => {
    try {
      return query();
    } catch (error) {
      throw asAppError(error);
    }
  },
  commit: createCommit(client, onFatal),
  borrow: () => {
    if (path === memory) return { client, isOwn: false, [Symbol.dispose]: () => {} };
    const own = connect(path);
    return { client: own, isOwn: true, [Symbol.dispose]: () => own.close() };
  },
});

/** The one place where a client is set up; each pragma stands before those that depend on it. */
export const connect = (path: string): Client => {
  const client = new Client(path, { readwrite: true, create: path === memory, safeIntegers: true, strict: true });
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

/**
 * A client that ends when it is closed. SQLite keeps a file open, and its log beside it, for as long as any statement lives;
 * so each is kept track of, and the rule of this folder is to prepare a statement once.
 */
export class Client extends Database {
  readonly #statements: { finalize(): void }[] = [];

  override prepare<Row, Bindings extends SQLQueryBindings | SQLQueryBindings[]>(sql: string, bindings?: Bindings) {
    const statement = super.prepare<Row, Bindings>(sql, bindings);
    this.#statements.push(statement);
    return statement;
  }

  override close(): void {
    for (const statement of this.#statements) statement.finalize();
    super.close(true);
  }
}

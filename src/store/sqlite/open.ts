import { Database, type SQLQueryBindings } from 'bun:sqlite';
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BunSQLiteDatabase, drizzle } from 'drizzle-orm/bun-sqlite';
import type { Store } from '../store.ts';
import { type Commit, createCommit } from './commit.ts';
import { asAppError } from './failure.ts';
import { inspect, migrate } from './migrate.ts';
import { createPlantStore } from './plants.ts';
import { createTokenStore } from './tokens.ts';

/** What the parts of the store share: one connection, one way to read and one way to write. */
export interface Connection {
  readonly db: BunSQLiteDatabase;
  readonly read: <Result>(query: () => Result) => Promise<Result>;
  readonly commit: Commit;
}

export interface OpenOptions {
  /** Called once when the disk fails and the process must stop. */
  readonly onFatal?: (error: Error) => void;
  /** Called with the names of the migrations that were applied, when there were any. */
  readonly onMigrated?: (names: readonly string[]) => void;
}

/**
 * Opens the database at `path`, or makes it where there is no file, and migrates it. `:memory:` is a database that lives as
 * long as the store, for tests. Throws AppError `unavailable` with the reason for a file that must not be touched.
 */
export const openSqliteStore = (path: string, { onFatal, onMigrated }: OpenOptions = {}): Store => {
  const applied: string[] = [];
  if (path !== memory) {
    if (!existsSync(path)) applied.push(...createFile(path));
    inspect(path);
  }
  const client = connect(path);
  applied.push(...migrate(client));
  if (applied.length > 0) onMigrated?.(applied);

  const connection: Connection = {
    db: drizzle({ client }),
    read: async (query) => {
      try {
        return query();
      } catch (error) {
        throw asAppError(error);
      }
    },
    commit: createCommit(client, onFatal),
  };
  return {
    plants: createPlantStore(connection),
    tokens: createTokenStore(connection),
    ping: () => connection.read(() => void client.query('SELECT 1').get()),
    close: async () => client.close(),
  };
};

const memory = ':memory:';

/**
 * A connection that ends when it is closed. SQLite keeps one open, and its log beside it, for as long as any statement
 * lives; so each is kept track of, and the rule of this folder is to prepare a statement once.
 */
class Client extends Database {
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

/** The one place where a connection is set up; each pragma stands before those that depend on it. */
const connect = (path: string): Client => {
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
 * Makes the file under another name and puts it in place whole, so that a crash on the way leaves no half of a database.
 * Of two starters at once, the second finds what the first has made. Returns the names of the migrations it applied.
 */
const createFile = (path: string): string[] => {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.new`;
  try {
    const applied = migrateDraft(draft);
    // Unlike a rename, a link never replaces a file that another starter has put there meanwhile.
    linkSync(draft, path);
    return applied;
  } catch (error) {
    if (existsSync(path)) return [];
    throw asAppError(error);
  } finally {
    rmSync(draft, { force: true });
  }
};

const migrateDraft = (draft: string): string[] => {
  using client = new Database(draft, { create: true, safeIntegers: true, strict: true });
  client.run('PRAGMA synchronous = EXTRA');
  return migrate(client);
};

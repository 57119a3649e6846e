import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import type { Store } from '../store.ts';
import { backup } from './backup.ts';
import { connect, createConnection, disconnect, memory } from './connection.ts';
import { removeIfThere, takeName } from './file.ts';
import { inspect, migrate } from './migrate.ts';
import { createPlantStore } from './plants.ts';
import { asRefusal, refusal } from './refusal.ts';
import { createTokenStore } from './tokens.ts';

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
  const client = openClient(path, applied);
  // From here on another process that holds the lock is waited for without holding up the rest; see commit.ts.
  client.run('PRAGMA busy_timeout = 0');
  if (applied.length > 0) onMigrated?.(applied);

  const connection = createConnection(path, client, onFatal);
  return {
    plants: createPlantStore(connection),
    tokens: createTokenStore(connection),
    ping: () => connection.read(() => void client.query('SELECT 1').get()),
    backup: (target, options) => backup(connection, target, options),
    close: async () => disconnect(client),
  };
};

const openClient = (path: string, applied: string[]): Database => {
  try {
    const client = connect(path);
    applied.push(...migrate(client));
    return client;
  } catch (error) {
    throw asRefusal(error);
  }
};

/**
 * Makes the file under another name and puts it in place whole, so that a crash on the way leaves no half of a database.
 * Of two starters at once, the second finds what the first has made. Returns the names of the migrations it applied.
 *
 * A log without its database is refused: SQLite would write what it holds into the new one.
 */
const createFile = (path: string): string[] => {
  for (const log of [`${path}-wal`, `${path}-journal`]) {
    if (existsSync(log)) {
      throw refusal(`is gone, and its log is still there, ${basename(log)}`);
    }
  }
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.new`;
  try {
    const applied = migrateDraft(draft);
    takeName(draft, path);
    return applied;
  } catch (error) {
    if (existsSync(path)) return [];
    throw asRefusal(error);
  } finally {
    removeIfThere(draft);
  }
};

const migrateDraft = (draft: string): string[] => {
  using client = new Database(draft, { create: true, safeIntegers: true, strict: true });
  client.run('PRAGMA synchronous = EXTRA');
  return migrate(client);
};

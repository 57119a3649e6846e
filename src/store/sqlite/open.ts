import { Database } from 'bun:sqlite';
import { existsSync, linkSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Store } from '../store.ts';
import { backup } from './backup.ts';
import { connect, createConnection, disconnect, memory } from './connection.ts';
import { asAppError } from './failure.ts';
import { inspect, migrate } from './migrate.ts';
import { createPlantStore } from './plants.ts';
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
  const client = connect(path);
  applied.push(...migrate(client));
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

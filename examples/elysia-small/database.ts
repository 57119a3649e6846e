import { Database as Client } from 'bun:sqlite';
import { join } from 'node:path';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { migrate } from 'drizzle-orm/bun-sqlite/migrator';
import * as schema from './schema.ts';

export type Database = ReturnType<typeof openDatabase>;

/** Opens the file, or a database in memory for `:memory:`, and migrates it. */
export const openDatabase = (path: string) => {
  const client = new Client(path, { strict: true });
  client.run('PRAGMA busy_timeout = 5000');
  client.run('PRAGMA journal_mode = WAL');
  // Plant Store: commits the writes that arrive together in one transaction, since each sync of the disk costs as much as ten writes.
  client.run('PRAGMA synchronous = FULL');
  const db = drizzle({ client, schema });
  // Plant Store: imports the migrations as text, because a compiled binary has no folder beside it.
  migrate(db, { migrationsFolder: join(import.meta.dir, 'migrations') });
  return db;
};

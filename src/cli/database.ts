import { OperatorError } from '../base/error.ts';
import type { Config } from '../config/config.ts';
import { openSqliteStore, type OpenOptions as SqliteOptions } from '../engines/sqlite.ts';
import { openExclusiveSqlite } from '../engines/sqlite-copy.ts';
import { memory } from '../sqlite/client.ts';
import type { ExclusiveStore } from '../storage/dump.ts';
import type { OpenOptions as ServerOptions } from '../store/engine.ts';
import type { Store } from '../store/store.ts';
import { refuseDatabase } from './database-files.ts';

/** Some hundred requests take as long. Other clients hardly notice it. */
const turnReadMs = 5;

/** An engine ignores options of the other engine. */
export type StoreOptions = SqliteOptions & Omit<ServerOptions, 'isReadOnly'>;

/**
 * Opens the database with the schema of this program. The command decides about any other: by default a missing one is created, and
 * an older one is refused, since a process of its version may be using it. Throws OperatorError, or `opened` rejects with it, when the
 * database must not be used.
 */
export const openStore = (config: Config, options?: StoreOptions): Store => {
  const { database, isReadOnly } = config;
  if (isReadOnly && (database.engine === 'sqlite' || !database.isOneServer))
    throw new OperatorError('READ_ONLY requires a DATABASE_URL of PostgreSQL with one server.');
  if (database.engine === 'sqlite') {
    guardFiles(config);
    return openSqliteStore(database.path, { turnReadMs, ...options });
  }
  const store = database.open({ ...options, isReadOnly });
  return { ...store, opened: withDatabaseName(config, store.opened) };
};

/** Opens an empty store in memory. Its data is lost when it is closed. */
export const openMemory = (options: SqliteOptions): Store => openSqliteStore(memory, { turnReadMs, ...options });

/** Opens the database for exclusive use, as `copy` needs it. */
export const openExclusive = async (config: Config, options: { readonly create: boolean }): Promise<ExclusiveStore> => {
  const { database } = config;
  if (database.engine !== 'sqlite') return withDatabaseName(config, database.openExclusive(options));
  guardFiles(config);
  return openExclusiveSqlite(database.path, options);
};

/** Adds the name of the database to an OperatorError. Errors of SQLite have it already. */
const withDatabaseName = <Result>(config: Config, opening: Promise<Result>): Promise<Result> =>
  opening.catch((error) => {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`Database ${config.database.name}: ${error.message}`, { cause: error });
  });

/** Throws OperatorError when a standard stream is a file of the database. */
export const guardFiles = (config: Config): void => {
  for (const descriptor of [0, 1, 2]) refuseDatabase(descriptor, config);
};

export const withStore = async <Result>(
  config: Config,
  options: StoreOptions,
  use: (store: Store) => Promise<Result>,
): Promise<Result> => {
  const store = openStore(config, options);
  try {
    await store.opened;
    return await use(store);
  } finally {
    await store.close();
  }
};

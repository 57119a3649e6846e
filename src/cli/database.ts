/** The database of a command. Its other files must not be those of the database. */
import { existsSync, fstatSync, type Stats, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, resolve } from 'node:path';
import { runtime } from '#runtime';
import { OperatorError } from '../base/error.ts';
import { realPathOf } from '../base/file-system.ts';
import { removeDrafts } from '../base/temporary-file.ts';
import type { Config } from '../config.ts';
import type { Build } from '../metrics.ts';
import { openExclusivePostgres } from '../postgres/copy.ts';
import { openPostgresStore, type OpenOptions as PostgresOptions } from '../postgres/open.ts';
import { addressesOf } from '../postgres/session/address.ts';
import { showPostgresUrl } from '../postgres/url.ts';
import type { ExclusiveStore } from '../store/dump.ts';
import { type BackupOptions, backup } from '../store/sqlite/backup.ts';
import { memory } from '../store/sqlite/client.ts';
import { openExclusiveSqlite } from '../store/sqlite/copy.ts';
import { filesOf } from '../store/sqlite/file.ts';
import { openSqliteStore, type OpenOptions as SqliteOptions } from '../store/sqlite/open.ts';
import type { Store } from '../store/store.ts';
import { version } from './package.ts';

/** Some hundred requests take as long. Other clients hardly notice it. */
const turnReadMs = 5;

/** An engine ignores options of the other engine. */
export type OpenOptions = SqliteOptions & PostgresOptions;

/**
 * Opens the database with the schema of this program. The command decides about any other: by default a missing one is created, and
 * an older one is refused, since a process of its version may be using it. Throws OperatorError, or `opened` rejects with it, when the
 * database must not be used. Only this file chooses the engine.
 */
export const openStore = (config: Config, options?: OpenOptions): Store => {
  const { database } = config;
  if (database.engine === 'postgres') {
    const { isReadOnly } = config;
    if (isReadOnly && database.target.hosts.length > 1) throw new OperatorError(oneServer);
    const store = openPostgresStore(addressesOf({ ...database.target, isReadOnly }), options);
    return { ...store, opened: withDatabaseName(config, store.opened) };
  }
  if (config.isReadOnly) throw new OperatorError(oneServer);
  guardFiles(config);
  return openSqliteStore(database.path, { turnReadMs, ...options });
};

/** Two standbys have different states. */
const oneServer = 'READ_ONLY requires a DATABASE_URL of PostgreSQL with one server.';

/** Opens an empty store that ends with it. */
export const openMemory = (options: SqliteOptions): Store => openSqliteStore(memory, { turnReadMs, ...options });

/** The same for `copy`, which needs exclusive use of the database. */
export const openExclusive = async (config: Config, options: { readonly create: boolean }): Promise<ExclusiveStore> => {
  const { database } = config;
  if (database.engine === 'postgres')
    return withDatabaseName(config, openExclusivePostgres(addressesOf(database.target), options));
  guardFiles(config);
  return openExclusiveSqlite(database.path, options);
};

/** The same outcome. An OperatorError names the database, as errors of SQLite do. */
const withDatabaseName = <Result>(config: Config, opening: Promise<Result>): Promise<Result> =>
  opening.catch((error) => {
    if (!(error instanceof OperatorError)) throw error;
    throw new OperatorError(`Database ${nameOf(config)}: ${error.message}`, { cause: error });
  });

/** Throws OperatorError when one is a file of the other, perhaps by another name. PostgreSQL locks its databases instead. */
export const refuseSameFile = (one: Config, other: Config): void => {
  const isOneIn = ({ database }: Config, config: Config): boolean =>
    database.engine === 'sqlite' && isFileOf(database.path, config);
  if (isOneIn(one, other) || isOneIn(other, one)) throw new OperatorError('FROM and TO are the same database.');
};

const guardFiles = (config: Config): void => {
  for (const descriptor of [0, 1, 2]) refuseDatabase(descriptor, config);
  runtime.exitOnBusError?.(
    'plant-store: The WAL index of the database was truncated while it was in use.',
    1,
    removeDrafts,
  );
};

export const withStore = async <Result>(
  config: Config,
  options: OpenOptions,
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

/** Throws OperatorError when the path or the descriptor is a file of the database, which only the store reads and writes. */
export const refuseDatabase = (file: string | number, config: Config): void => {
  if (!isFileOf(file, config)) return;
  const name = typeof file === 'string' ? file : `The file behind ${['stdin', 'stdout', 'stderr'][file]}`;
  throw new OperatorError(`${name} is the database or its log. Choose another file.`);
};

/**
 * The path of a file to write, with symbolic links followed, and whether it is a pipe or a device, which cannot be replaced. Throws
 * OperatorError for a file of the database, a folder, a missing folder, and without `force` for a file that exists.
 */
export const targetOf = (file: string, config: Config, { force }: { readonly force: boolean }) => {
  refuseDatabase(file, config);
  const path = realPathOf(file);
  if (!existsSync(dirname(path))) throw new OperatorError(`Folder ${dirname(path)} does not exist.`);
  const stat = statIfThere(path);
  if (stat?.isDirectory()) throw new OperatorError(`${file} is a folder.`);
  if (stat?.isFile() && !force) throw existing(file);
  return { path, isStream: stat?.isFile() === false, isCharacterDevice: stat?.isCharacterDevice() ?? false };
};

export const existing = (file: string): OperatorError =>
  new OperatorError(`${file} exists; use --force to replace it.`);

/** PostgreSQL has no files here. */
const isFileOf = (file: string | number, { database }: Config): boolean => {
  if (database.engine === 'postgres') return false;
  const path = typeof file === 'string' ? realPathOf(file) : undefined;
  const stat = typeof file === 'string' ? statIfThere(file) : fstatSync(file);
  return filesOf(database.path).some((own) => {
    const ownStat = statIfThere(own);
    // A hard link has another path.
    const isSameFile = ownStat !== undefined && stat?.dev === ownStat.dev && stat.ino === ownStat.ino;
    return path === own || isSameFile;
  });
};

/** A function that copies the database, with the schema that it has, to a new file. Throws OperatorError for PostgreSQL, which has its own tools. */
export const backupOf = (config: Config): ((path: string, options: BackupOptions) => Promise<void>) => {
  const { database } = config;
  if (database.engine === 'postgres')
    throw new OperatorError('backup copies SQLite databases only. Use pg_dump for PostgreSQL.');
  return (path, options) => {
    guardFiles(config);
    return backup(database.path, path, options);
  };
};

/** The database system, by the names of OpenTelemetry (https://opentelemetry.io/docs/specs/semconv/registry/attributes/db). */
export const systemOf = ({ database }: Config): string => (database.engine === 'postgres' ? 'postgresql' : 'sqlite');

export const buildOf = ({ database: { engine } }: Config): Build => ({
  version,
  runtime: runtime.name,
  runtime_version: runtime.version,
  engine,
});

/** The name of the database for people, without a password. */
export const nameOf = ({ database }: Config): string =>
  database.engine === 'postgres' ? showPostgresUrl(database.target) : resolve(database.path);

/** The database as a word of a shell. The URL of PostgreSQL is not repeated, since it may have a password. */
export const shellWordOf = ({ database }: Config): string =>
  database.engine === 'postgres' ? `"\${DATABASE_URL:?Set it as for serve}"` : `'${resolve(database.path)}'`;

/** The folder for files that go with the database. */
export const folderOf = ({ database }: Config): string =>
  database.engine === 'postgres' ? 'data' : dirname(database.path);

/** The folder for large temporary files: that of a SQLite file has space, and the system's may be in memory. */
export const spoolFolderOf = ({ database }: Config): string =>
  database.engine === 'postgres' ? tmpdir() : dirname(database.path);

const statIfThere = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

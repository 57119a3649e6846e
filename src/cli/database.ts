/** The database of a command. Its other files must not be those of the database. */
import { existsSync, fstatSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { OperatorError } from '../base/error.ts';
import { realPathOf } from '../base/real-path.ts';
import type { Config } from '../config.ts';
import { exitOnBusError } from '../store/sqlite/bus-error.ts';
import { filesOf } from '../store/sqlite/file.ts';
import { type OpenOptions, openSqliteStore } from '../store/sqlite/open.ts';
import type { Store } from '../store/store.ts';

/** The one place that chooses the engine. Throws OperatorError for a database that must not be opened. */
export const openStore = (config: Config, options?: OpenOptions): Store => {
  for (const descriptor of [0, 1, 2]) refuseDatabase(descriptor, config);
  exitOnBusError('plant-store: The index of the log of the database was cut off while it was in use.', 1);
  return openSqliteStore(config.database, options);
};

export const withStore = async <Result>(
  config: Config,
  options: OpenOptions,
  use: (store: Store) => Promise<Result>,
): Promise<Result> => {
  const store = openStore(config, options);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
};

/** Throws OperatorError when the path or the descriptor is a file of the database, which only the store reads and writes. */
export const refuseDatabase = (file: string | number, { database }: Config): void => {
  const path = typeof file === 'string' ? realPathOf(file) : undefined;
  const stat = typeof file === 'string' ? statIfThere(file) : fstatSync(file);
  for (const own of filesOf(database)) {
    const ownStat = statIfThere(own);
    // A hard link has a path of its own.
    const isSameFile = ownStat !== undefined && stat?.dev === ownStat.dev && stat.ino === ownStat.ino;
    if (path === own || isSameFile)
      throw new OperatorError('The file is the database itself, or its log. Name another.');
  }
};

/** The path of a file to write, with symbolic links followed. Throws OperatorError for a file of the database and a missing folder. */
export const targetOf = (file: string, config: Config): string => {
  refuseDatabase(file, config);
  const target = realPathOf(file);
  if (!existsSync(dirname(target))) throw new OperatorError(`There is no folder ${dirname(target)}.`);
  return target;
};

const statIfThere = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

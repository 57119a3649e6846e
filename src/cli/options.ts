import { type Command, InvalidArgumentError, Option } from 'commander';
import { type Config, readConfig } from '../config.ts';
import { isOneOf } from '../domain/words.ts';
import { exitOnBusError } from '../store/sqlite/bus-error.ts';
import { filesOf } from '../store/sqlite/file.ts';
import { type OpenOptions, openSqliteStore } from '../store/sqlite/open.ts';
import type { Store } from '../store/store.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';
import type { PlantFormat } from './plant-format.ts';

export interface DatabaseFlags {
  readonly database?: string;
}

/** The flag that every command on the data has. */
export const addDatabaseOption = (command: Command): Command =>
  command.option(
    '--database <path>',
    'SQLite file: a path, or file: and a path (default: DATABASE_URL, or ./data/plants.sqlite)',
  );

/** The files of the database, which no command may read or write but through the store. */
export const databaseFilesOf = ({ database }: Config): string[] => filesOf(database);

/** The one place that says which engine keeps the plants. Throws AppError `unavailable` for a database that must not be touched. */
export const openStore = ({ database }: Config, options?: OpenOptions): Store => {
  exitOnBusError('plant-store: The index of the log of the database was cut off while it was in use.', 1);
  return openSqliteStore(database, options);
};

/** Opens the database that the flags and the environment name, lends it to `use`, and closes it whatever happens. */
export const withStore = async <Result>(
  flags: DatabaseFlags,
  options: OpenOptions,
  use: (store: Store) => Promise<Result>,
): Promise<Result> => {
  const store = openStore(readConfig(flags), options);
  try {
    return await use(store);
  } finally {
    await store.close();
  }
};

/** Reads a comma-separated list of these words, each kept once. Throws commander's InvalidArgumentError for any other. */
export const parseWords = <Word extends string>(text: string, words: readonly Word[]): Word[] => {
  const named = text.split(',').map((word) => word.trim());
  if (!named.every(isOneOf(words)))
    throw new InvalidArgumentError(`It must be a comma-separated list of ${words.join(', ')}.`);
  return [...new Set(named)];
};

/** The flags of the commands that move plants in or out. */
export interface FormatFlags extends DatabaseFlags {
  readonly format?: FormatName;
}

type FormatName = 'ndjson' | 'csv';

export const formatOption = (): Option =>
  new Option('--format <format>', 'by default told by the ending of the name, else ndjson').choices(['ndjson', 'csv']);

export const formatOf = (file: string, name: FormatName | undefined): PlantFormat =>
  name === 'csv' || (name === undefined && file.toLowerCase().endsWith('.csv')) ? csv : ndjson;

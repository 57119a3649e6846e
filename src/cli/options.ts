import { fstatSync, type Stats, statSync } from 'node:fs';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { OperatorError } from '../base/operator-error.ts';
import { realPathOf } from '../base/real-path.ts';
import { isOneOf } from '../base/words.ts';
import { type Config, readConfig } from '../config.ts';
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

/**
 * Throws OperatorError when the file, or what a descriptor of this process is, belongs to the database: no command reads
 * or writes its files but through the store.
 */
export const refuseDatabase = (file: string | number, { database }: Config): void => {
  const stat = typeof file === 'string' ? statOf(file) : fstatSync(file);
  for (const own of filesOf(database)) {
    const isOwn = typeof file === 'string' && realPathOf(file) === own;
    if (isOwn || isSameFile(stat, statOf(own)))
      throw new OperatorError('The file is the database itself, or its log. Name another.');
  }
};

const standardStreams = [0, 1, 2];

const statOf = (path: string): Stats | undefined => statSync(path, { throwIfNoEntry: false });

/** Two names of one file are hard links. */
const isSameFile = (a: Stats | undefined, b: Stats | undefined): boolean =>
  a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;

/** The one place that says which engine keeps the plants. Throws OperatorError for a database that must not be touched. */
export const openStore = (config: Config, options?: OpenOptions): Store => {
  for (const descriptor of standardStreams) refuseDatabase(descriptor, config);
  exitOnBusError('plant-store: The index of the log of the database was cut off while it was in use.', 1);
  return openSqliteStore(config.database, options);
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

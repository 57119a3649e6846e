import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { OperatorError } from '../base/error.ts';
import { realPathOf } from '../base/file-system.ts';
import { createInterrupt } from '../base/signal.ts';
import type { Flags } from '../config/config.ts';
import { restore } from '../engines/sqlite-restore.ts';
import type { Context } from './context.ts';
import { guardFiles } from './database.ts';
import { refuseDatabase } from './database-files.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption, parseFileName } from './options.ts';

export const addRestore = (program: Command, context: Context): void => {
  addDatabaseOption(program.command('restore'))
    .description(
      'replace a SQLite database by a backup, which is verified first; stop serve first; the replaced database is kept beside it',
    )
    .argument('<file>', 'file that backup has written', parseFileName)
    .action((file, flags) => restoreFrom(file, flags, context));
};

const restoreFrom = async (file: string, flags: Flags, { env, printMessage }: Context): Promise<void> => {
  using interrupt = createInterrupt();
  const config = await loadConfig(flags, env);
  const { database } = config;
  if (database.engine !== 'sqlite')
    throw new OperatorError(
      'restore replaces SQLite databases only. Use pg_restore for PostgreSQL, or psql for a plain dump.',
    );
  refuseDatabase(file, config);
  guardFiles(config);
  const source = realPathOf(file);
  if (!statSync(source, { throwIfNoEntry: false })) throw new OperatorError(`There is no file ${file}.`);
  const kept = await restore(source, database.path, interrupt.signal);
  printMessage(`The database is restored: ${database.path}, ${statSync(database.path).size} bytes.`);
  if (kept !== undefined) printMessage(`The replaced database is kept as ${kept}.`);
};

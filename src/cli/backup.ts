import { statSync } from 'node:fs';
import { type Command, InvalidArgumentError } from 'commander';
import { OperatorError, withFile } from '../base/error.ts';
import { createInterrupt } from '../base/signal.ts';
import { type Flags, loadConfig } from '../config.ts';
import { backup } from '../store/sqlite/backup.ts';
import type { Context } from './context.ts';
import { guardFiles } from './database.ts';
import { fileToWrite } from './database-files.ts';
import { addDatabaseOption, parseFileName } from './options.ts';

export const addBackup = (program: Command, context: Context): void => {
  addDatabaseOption(program.command('backup'))
    .description(
      'write a consistent, verified copy of a SQLite database, even while it is in use, of any earlier version too',
    )
    .argument('<file>', 'file to write', parseBackupName)
    .option('--force', 'replace the file if it exists')
    .action((file, flags) => backUp(file, flags, context));
};

const backUp = async (
  file: string,
  { force = false, ...flags }: Flags & { force?: boolean },
  { env, printMessage }: Context,
): Promise<void> => {
  using interrupt = createInterrupt();
  const config = await loadConfig(flags, env);
  const { database } = config;
  if (database.engine !== 'sqlite')
    throw new OperatorError('backup copies SQLite databases only. Use pg_dump for PostgreSQL.');
  const { path, isStream } = fileToWrite(file, config, { force });
  // A rename would replace a device or a pipe by the copy.
  if (isStream) throw new OperatorError(`${file} is not a regular file.`);
  printMessage('Copying and verifying …');
  guardFiles(config);
  await backup(database.path, path, { overwrite: force, signal: interrupt.signal }).catch((error) => {
    throw withFile('write', file, error);
  });
  printMessage(`The backup is complete: ${file}, ${statSync(path).size} bytes.`);
};

/** SQLite cannot write to a pipe. */
const parseBackupName = (text: string): string => {
  if (text === '-') throw new InvalidArgumentError('It must be the name of a file.');
  return parseFileName(text);
};

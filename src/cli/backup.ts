import { statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { datedName, removeOldest } from '../base/dated-files.ts';
import { OperatorError, withFile } from '../base/error.ts';
import { createFolders } from '../base/file-system.ts';
import { createInterrupt } from '../base/signal.ts';
import { type Flags, SettingError } from '../config/config.ts';
import { backup } from '../engines/sqlite-backup.ts';
import type { Context } from './context.ts';
import { guardFiles } from './database.ts';
import { fileToWrite } from './database-files.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption, parseFileName } from './options.ts';

export const addBackup = (program: Command, context: Context): void => {
  addDatabaseOption(program.command('backup'))
    .description(
      'write a consistent, verified copy of a SQLite database, even while it is in use, of any earlier version too',
    )
    .argument('[file]', 'file to write; without it, one with the time in its name in BACKUP_FOLDER', parseBackupName)
    .option('--force', 'replace the file if it exists')
    .option('--keep <count>', 'newest files to keep in BACKUP_FOLDER; older ones are then removed', parseCount, 7)
    .action((file, flags) => backUp(file, flags, context));
};

interface BackupFlags extends Flags {
  readonly force?: boolean;
  readonly keep: number;
}

const backUp = async (
  file: string | undefined,
  { force = false, keep, ...flags }: BackupFlags,
  { env, printMessage }: Context,
): Promise<void> => {
  using interrupt = createInterrupt();
  const config = await loadConfig(flags, env);
  const { database, backupFolder } = config;
  if (database.engine !== 'sqlite')
    throw new OperatorError('backup copies SQLite databases only. Use pg_dump for PostgreSQL.');
  if (file === undefined && backupFolder === undefined)
    throw new SettingError('BACKUP_FOLDER must be set, or a file must be named.');
  const target = file ?? join(createdFolder(backupFolder), datedName(new Date()));
  const { path, isStream } = fileToWrite(target, config, { force });
  // A rename would replace a device or a pipe by the copy.
  if (isStream) throw new OperatorError(`${target} is not a regular file.`);
  printMessage('Copying and verifying …');
  guardFiles(config);
  await backup(database.path, path, { overwrite: force, signal: interrupt.signal }).catch((error) => {
    throw withFile('write', target, error);
  });
  printMessage(`The backup is complete: ${target}, ${statSync(path).size} bytes.`);
  if (file !== undefined) return;
  const removed = removeOldest(dirname(path), keep);
  if (removed.length > 0) printMessage(`Removed: ${removed.join(', ')}.`);
};

const createdFolder = (folder = ''): string => {
  createFolders(folder);
  return folder;
};

const parseCount = (text: string): number => {
  if (!/^[1-9]\d{0,3}$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 9999.');
  return Number(text);
};

/** SQLite cannot write to a pipe. */
const parseBackupName = (text: string): string => {
  if (text === '-') throw new InvalidArgumentError('It must be the name of a file.');
  return parseFileName(text);
};

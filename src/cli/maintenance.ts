import { type Command, InvalidArgumentError } from 'commander';
import { createInterrupt } from '../base/signal.ts';
import { type Flags, readConfig } from '../config.ts';
import { openStore, targetOf, withStore } from './database.ts';
import { addDatabaseOption } from './options.ts';
import { printLines } from './output.ts';

export const addMigrate = (program: Command): void => {
  addDatabaseOption(program.command('migrate'))
    .description('bring the database to the schema of this version, as serve does by itself; print what was applied')
    .action(migrate);
};

export const addBackup = (program: Command): void => {
  addDatabaseOption(program.command('backup'))
    .description('make a consistent copy of the database, verified, while it is in use')
    .argument('<file>', 'where to; must not exist yet', parseFileName)
    .option('--force', 'replace a file of that name')
    .action(backUp);
};

const migrate = async (flags: Flags): Promise<void> => {
  const store = openStore(readConfig(flags), { onMigrated: printLines });
  await store.close();
  console.error('The database is up to date.');
};

const backUp = async (file: string, { force = false, ...flags }: Flags & { force?: boolean }): Promise<void> => {
  using interrupt = createInterrupt();
  const config = readConfig(flags);
  const target = targetOf(file, config);
  console.error('Copying and verifying …');
  await withStore(config, { create: false }, (store) =>
    store.backup(target, { overwrite: force, signal: interrupt.signal }),
  );
  console.error('The copy is complete.');
};

const parseFileName = (text: string): string => {
  if (text === '' || text === '-') throw new InvalidArgumentError('It must be the name of a file.');
  return text;
};

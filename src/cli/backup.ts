import { type Command, InvalidArgumentError } from 'commander';
import { createInterrupt } from '../base/signal.ts';
import { type Flags, readConfig } from '../config.ts';
import { refuseBackup, targetOf, withStore } from './database.ts';
import { addDatabaseOption } from './options.ts';

export const addBackup = (program: Command): void => {
  addDatabaseOption(program.command('backup'))
    .description('make a consistent copy of the database, verified, while it is in use')
    .argument('<file>', 'where to; must not exist yet', parseFileName)
    .option('--force', 'replace a file of that name')
    .action(backUp);
};

const backUp = async (file: string, { force = false, ...flags }: Flags & { force?: boolean }): Promise<void> => {
  using interrupt = createInterrupt();
  const config = readConfig(flags);
  refuseBackup(config);
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

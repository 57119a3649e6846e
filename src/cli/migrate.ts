import type { Command } from 'commander';
import { type Flags, readConfig } from '../config.ts';
import { withStore } from './database.ts';
import { addDatabaseOption } from './options.ts';
import { printLines, printMessage } from './output.ts';

export const addMigrate = (program: Command): void => {
  addDatabaseOption(program.command('migrate'))
    .description('create the database or update its schema, as serve does automatically; print the applied migrations')
    .action(migrate);
};

const migrate = async (flags: Flags): Promise<void> => {
  await withStore(readConfig(flags), { onMigrated: printLines }, async () => {});
  printMessage('The database is up to date.');
};

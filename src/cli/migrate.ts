import type { Command } from 'commander';
import type { Flags } from '../config/config.ts';
import type { Context } from './context.ts';
import { withStore } from './database.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption } from './options.ts';

export const addMigrate = (program: Command, context: Context): void => {
  addDatabaseOption(program.command('migrate'))
    .description('create the database or update its schema, as serve does automatically; print the applied migrations')
    .action((flags) => migrate(flags, context));
};

const migrate = async (flags: Flags, { env, printLines, printMessage }: Context): Promise<void> => {
  let isMigrated = false;
  const onMigrated = (names: readonly string[]): void => {
    isMigrated = true;
    printLines(names);
  };
  await withStore(await loadConfig(flags, env), { upgrade: true, onMigrated }, async () => {});
  printMessage(isMigrated ? 'The database is up to date.' : 'The database was up to date. It was not changed.');
};

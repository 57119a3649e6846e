import type { Command } from 'commander';
import { addDatabaseOption, type DatabaseFlags, withStore } from './options.ts';

export const addBackup = (program: Command): void => {
  addDatabaseOption(program.command('backup'))
    .description('make a consistent copy of the database, verified, while it is in use')
    .argument('<file>', 'where to; must not exist yet')
    .option('--force', 'replace a file of that name')
    .action(backup);
};

const backup = async (
  file: string,
  { force = false, ...flags }: DatabaseFlags & { force?: boolean },
): Promise<void> => {
  console.error('Copying and verifying …');
  await withStore(flags, (store) => store.backup(file, { overwrite: force }));
  console.error('The copy is complete.');
};

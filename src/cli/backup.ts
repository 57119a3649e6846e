import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config.ts';
import { onInterrupt } from './interrupt.ts';
import { addDatabaseOption, type DatabaseFlags, withStore } from './options.ts';
import { targetOf } from './target.ts';

export const addBackup = (program: Command): void => {
  addDatabaseOption(program.command('backup'))
    .description('make a consistent copy of the database, verified, while it is in use')
    .argument('<file>', 'where to; must not exist yet', parseFileName)
    .option('--force', 'replace a file of that name')
    .action(backup);
};

const backup = async (
  file: string,
  { force = false, ...flags }: DatabaseFlags & { force?: boolean },
): Promise<void> => {
  const interrupted = new AbortController();
  using _ = onInterrupt((reason) => interrupted.abort(reason));
  const target = targetOf(file, readConfig(flags));
  console.error('Copying and verifying …');
  await withStore(flags, { create: false }, (store) =>
    store.backup(target, { overwrite: force, signal: interrupted.signal }),
  );
  console.error('The copy is complete.');
};

const parseFileName = (text: string): string => {
  if (text === '' || text === '-') throw new InvalidArgumentError('It must be the name of a file.');
  return text;
};

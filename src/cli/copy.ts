import type { Command } from 'commander';
import { OperatorError } from '../base/error.ts';
import { createInterrupt } from '../base/signal.ts';
import { SettingError } from '../config/config.ts';
import type { Rows } from '../storage/dump.ts';
import type { Context } from './context.ts';
import { openExclusive } from './database.ts';
import { refuseSameFile } from './database-files.ts';
import { loadConfig } from './load-config.ts';
import { withProgress } from './progress.ts';

export const addCopy = (program: Command, context: Context): void => {
  program
    .command('copy')
    .description(
      'copy a whole database into an empty one: plants, events, webhooks, deliveries, tests and tokens; stop serve first',
    )
    .argument('<from>', 'SQLite file (a path or a file: URL) or postgres://user@host/database')
    .argument('<to>', 'as FROM; created if it does not exist, left empty if the copy fails')
    .action((from, to) => copy(from, to, context));
};

const copy = async (from: string, to: string, { env, printMessage }: Context): Promise<void> => {
  const source = await nameIn('FROM', loadConfig({ database: from }, env));
  const target = await nameIn('TO', loadConfig({ database: to }, env));
  using interrupt = createInterrupt();
  refuseSameFile(source, target);
  await using whole = await nameIn('FROM', openExclusive(source, { create: false }));
  await using empty = await nameIn('TO', openExclusive(target, { create: true }));
  const counts = new Map<string, number>();
  const countRows = ({ table, rows }: Rows): number => {
    counts.set(table, (counts.get(table) ?? 0) + rows.length);
    return rows.length;
  };
  const others = await whole.others();
  const total = await whole.count();
  await empty.restore(
    withProgress(whole.dump(), { title: 'Copying', total, signal: interrupt.signal, countRows, printMessage }),
  );
  printMessage(`Rows copied: ${[...counts].map(([table, rows]) => `${table} ${rows}`).join(', ') || 'none'}.`);
  if (others.length > 0) printMessage(`Not copied, since they are not tables of this program: ${others.join(', ')}.`);
};

/** Names the argument in an error of its database. */
const nameIn = async <Result>(place: 'FROM' | 'TO', opening: Promise<Result>): Promise<Result> => {
  try {
    return await opening;
  } catch (error) {
    if (error instanceof SettingError) throw new SettingError(error.message.replace(/^--database\b/, place));
    throw error instanceof OperatorError ? new OperatorError(`${place}: ${error.message}`, { cause: error }) : error;
  }
};

import { type Command, Option } from 'commander';
import { type Flags, settingNames } from '../config/config.ts';
import { misspeltSettings } from '../config/setting-names.ts';
import type { Context } from './context.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption, addListenOptions } from './options.ts';

export const addSettingsCommand = (program: Command, context: Context): void => {
  addListenOptions(addDatabaseOption(program.command('settings')))
    .description(
      'print one line per setting, as serve with these options would use it: name, value without secrets, and its source, which is flag, environment, default, build, development or demo; separated by tabs',
    )
    .addOption(new Option('--read-only', 'as for serve').conflicts('demo'))
    .addOption(new Option('--demo', 'as for serve').conflicts('database'))
    .action((flags) => print(flags, context));
};

const print = async (flags: Flags, { env, printRows, printMessage }: Context): Promise<void> => {
  const rows = new Map<string, readonly string[]>();
  await loadConfig(flags, env, (name, text, source) => rows.set(name, [name, text || '-', source]));
  printRows(settingNames().map((name) => rows.get(name) ?? [name]));
  for (const { name, similar } of misspeltSettings(env))
    printMessage(`${name} is not a setting${similar === undefined ? '' : `; the most similar one is ${similar}`}.`);
};

/** Options of several commands, and the settings of the environment in help texts. */
import { type Command, InvalidArgumentError } from 'commander';
import { isPath, pathAdvice } from '../base/path.ts';
import { isOneOf } from '../base/text.ts';
import type { Kind } from '../config/setting-values.ts';
import { type Setting, settings } from '../config/settings.ts';

export const addDatabaseOption = (command: Command): Command =>
  command.option(
    '--database <database>',
    `SQLite file (a path or a file: URL) or postgres://user@host/database ${defaultOf(settings.database)}`,
  );

export const addListenOptions = (command: Command): Command =>
  command
    .option('--host <host>', `address to listen on ${defaultOf(settings.host)}`)
    .option('--port <port>', `port to listen on; 0 picks a free one ${defaultOf(settings.port)}`);

/** Throws commander's InvalidArgumentError for an empty name, and for what may be an address. */
export const parseFileName = (text: string): string => {
  if (text === '') throw new InvalidArgumentError('It must be the name of a file.');
  if (!isPath(text)) throw new InvalidArgumentError(`It must be the name of a file; ${pathAdvice}.`);
  return text;
};

/** The parser of an option whose values are those of a setting. It throws commander's InvalidArgumentError. */
export const parserOf =
  <Value>({ words, read }: Kind<Value>) =>
  (text: string): Value => {
    const value = read(text);
    if (value === undefined) throw new InvalidArgumentError(`It must be ${words}.`);
    return value;
  };

/** The parser of an option whose value is a comma-separated list of these words, and which may be repeated. It throws as `parserOf`. */
export const parserOfWords =
  <Word extends string>(words: readonly Word[]) =>
  (text: string, earlier: readonly Word[] = []): Word[] => {
    const named = text.split(',').map((word) => word.trim());
    if (!named.every(isOneOf(words)))
      throw new InvalidArgumentError(`It must be a comma-separated list of ${words.join(', ')}.`);
    return [...new Set([...earlier, ...named])];
  };

/** Where the value of an omitted option comes from. */
export const defaultOf = ({ name, default: text }: Setting): string => `(default: ${name}, or ${text})`;

/** Adds the settings that have no flag to the help of a command, in its width and style. */
export const addSettings = (command: Command): Command =>
  command.addHelpText('after', () => {
    const helper = command.createHelp();
    helper.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
    const withoutFlag = Object.values<Setting>(settings).filter(({ flag }) => flag === undefined);
    const width = Math.max(...withoutFlag.map(({ name }) => name.length));
    const items = withoutFlag.map((setting) =>
      helper.formatItem(helper.styleOptionTerm(setting.name), width, describeSetting(setting), helper),
    );
    return ['', helper.styleTitle('Settings (environment variables):'), ...items].join('\n');
  });

const describeSetting = ({ meaning, default: text }: Setting): string =>
  `${plain(meaning)}${text === undefined ? '' : ` (default: ${text})`}`;

/** The text of Markdown, without links and code spans. */
const plain = (markdown: string): string => markdown.replace(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('`', '');

/** @limit Processes | Lines that a list prints | exit code 2 */
const linesMax = 1000;

export const addLimitOption = (command: Command): Command =>
  command.option('--limit <count>', `lines, at most ${linesMax}`, parseLimit, 100);

const parseLimit = (text: string): number => {
  const limit = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (limit < 1 || limit > linesMax) throw new InvalidArgumentError(`It must be a number from 1 to ${linesMax}.`);
  return limit;
};

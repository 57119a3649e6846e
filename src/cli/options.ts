/** Options of several commands. */
import { type Command, InvalidArgumentError } from 'commander';
import { isOneOf } from '../base/text.ts';

export const addDatabaseOption = (command: Command): Command =>
  command.option(
    '--database <database>',
    'SQLite file: a path, or file: and a path; or postgres://user@host/database (default: DATABASE_URL, or ./data/plants.sqlite)',
  );

/** Reads a comma-separated list of these words, without repetitions. Throws commander's InvalidArgumentError. */
export const parseWords = <Word extends string>(text: string, words: readonly Word[]): Word[] => {
  const named = text.split(',').map((word) => word.trim());
  if (!named.every(isOneOf(words)))
    throw new InvalidArgumentError(`It must be a comma-separated list of ${words.join(', ')}.`);
  return [...new Set(named)];
};

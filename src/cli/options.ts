/** Options of several commands. */
import { type Command, InvalidArgumentError } from 'commander';
import { mayHavePassword } from '../base/address-like.ts';
import { isOneOf } from '../base/text.ts';
import { settings } from '../settings.ts';
import { defaultOf } from './settings.ts';

export const addDatabaseOption = (command: Command): Command =>
  command.option(
    '--database <database>',
    `SQLite file (a path or a file: URL) or postgres://user@host/database ${defaultOf(settings.database)}`,
  );

/** Throws commander's InvalidArgumentError for an empty name, and for an address, whose password would become the name of a file. */
export const parseFileName = (text: string): string => {
  if (text === '' || mayHavePassword(text)) throw new InvalidArgumentError('It must be the name of a file.');
  return text;
};

/** Reads a comma-separated list of these words, without repetitions. Throws commander's InvalidArgumentError. */
export const parseWords = <Word extends string>(text: string, words: readonly Word[]): Word[] => {
  const named = text.split(',').map((word) => word.trim());
  if (!named.every(isOneOf(words)))
    throw new InvalidArgumentError(`It must be a comma-separated list of ${words.join(', ')}.`);
  return [...new Set(named)];
};

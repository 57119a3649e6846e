/** Options of several commands. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { isOneOf } from '../base/text.ts';
import { csv } from './formats/csv.ts';
import type { PlantFormat } from './formats/format.ts';
import { ndjson } from './formats/ndjson.ts';

export const addDatabaseOption = (command: Command): Command =>
  command.option(
    '--database <path>',
    'SQLite file: a path, or file: and a path (default: DATABASE_URL, or ./data/plants.sqlite)',
  );

const formats = { ndjson, csv };
export type FormatName = keyof typeof formats;

/** The format of this name, or by the ending of the file, or NDJSON. */
export const formatOf = (
  file: string,
  name: FormatName = file.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson',
): PlantFormat => formats[name];

export const formatOption = (): Option =>
  new Option('--format <format>', 'by default told by the ending of the name, else ndjson').choices(
    Object.keys(formats),
  );

/** Reads a comma-separated list of these words, without repetitions. Throws commander's InvalidArgumentError. */
export const parseWords = <Word extends string>(text: string, words: readonly Word[]): Word[] => {
  const named = text.split(',').map((word) => word.trim());
  if (!named.every(isOneOf(words)))
    throw new InvalidArgumentError(`It must be a comma-separated list of ${words.join(', ')}.`);
  return [...new Set(named)];
};

import { Option } from 'commander';
import { csv } from './csv.ts';
import type { PlantFormat } from './format.ts';
import { ndjson } from './ndjson.ts';

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

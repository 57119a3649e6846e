import { extname } from 'node:path';
import { Option } from 'commander';
import { SettingError } from '../config/config.ts';
import { csv } from '../plants/transfer/csv.ts';
import type { PlantFormat } from '../plants/transfer/format.ts';
import { ndjson } from '../plants/transfer/ndjson.ts';

const formats = { ndjson, csv };
export type FormatName = keyof typeof formats;

/** The format of this name, else by the file extension. A name without one, such as `-`, is NDJSON. Throws SettingError for an unknown extension. */
export const formatOf = (file: string, name: FormatName | undefined): PlantFormat => {
  if (name !== undefined) return formats[name];
  // Rejected rows have the format of their file.
  const extension = extname(file.replace(/\.rejected$/, '')).toLowerCase();
  const format = byExtension[extension];
  if (!format) throw new SettingError(`File extension ${extension} is unknown; use --format ndjson or --format csv.`);
  return format;
};

const byExtension: Readonly<Record<string, PlantFormat>> = {
  '': ndjson,
  '.ndjson': ndjson,
  '.jsonl': ndjson,
  '.csv': csv,
};

export const formatOption = (): Option =>
  new Option('--format <format>', 'file format (default: by the file extension, else ndjson)').choices(
    Object.keys(formats),
  );

import type { ImportedPlant, PlantRecord } from '../../domain/plant.ts';
import { csv } from './csv.ts';
import { ndjson } from './ndjson.ts';

/** A format in which plants come and go. */
export interface PlantFormat {
  /** Splits a stream into rows, in batches, in bounded memory. Throws OperatorError when the rest of the stream has none. */
  readRows(bytes: AsyncIterable<Uint8Array>): AsyncIterable<readonly Row[]>;
  /** The text before the first plant. */
  readonly head: string;
  encode(records: readonly PlantRecord[]): string;
}

export interface Row {
  /** The line on which the row begins, from 1. */
  readonly line: number;
  /** The row as it came, or as much of it as is kept, without the end of its line. */
  raw(): Uint8Array;
  /** The text before the rows of its file: the header, or nothing. */
  readonly head: string;
  /** The plant of the row. Throws OperatorError with the reason when it is none. */
  parse(): ImportedPlant;
}

export const formats = { ndjson, csv };
export type FormatName = keyof typeof formats;

/** The format of that name; without one, that of the ending of the file, else NDJSON. */
export const formatOf = (
  file: string,
  name: FormatName = file.toLowerCase().endsWith('.csv') ? 'csv' : 'ndjson',
): PlantFormat => formats[name];

/** The valid rows of a file, which wait in a spool until all are checked. */
import { createReadStream } from 'node:fs';
import { OperatorError, withFile } from '../base/error.ts';
import type { Spool } from '../base/temporary-file.ts';
import type { ImportedPlant } from '../domain/plant.ts';
import { integers, type PlantFormat, type Row } from './formats/format.ts';
import { createProgress } from './progress.ts';
import type { RejectedRow, Rejects } from './rejects.ts';

/** A row and its plant. It is rejected later if the id of the plant is taken. */
export interface CheckedRow extends RejectedRow {
  readonly plant: ImportedPlant;
}

interface CheckOptions {
  readonly format: PlantFormat;
  /** Absent for a pipe. */
  readonly sizeBytes: number | undefined;
  /** Whether `raw` of the valid rows is needed. Otherwise it is empty. */
  readonly keepsText: boolean;
  readonly rejects: Rejects;
  readonly spool: Spool;
  readonly signal: AbortSignal;
}

/** Reads all rows of a file, or of stdin for `-`. Adds the valid ones to `spool`, returns their number, and rejects the others. */
export const checkRows = async (
  file: string,
  { format, sizeBytes, keepsText, rejects, spool, signal }: CheckOptions,
): Promise<number> => {
  signal.throwIfAborted();
  const stream = file === '-' ? process.stdin : createReadStream(file);
  signal.addEventListener('abort', () => stream.destroy(signal.reason));
  const progress = createProgress('Checking', sizeBytes);
  let [readRows, validRows] = [0, 0];
  try {
    for await (const rows of format.readRows(readBytes(stream, file))) {
      const valid = rows.flatMap((row) => checkRow(row, rejects));
      if (valid.length > 0) spool.add(encode(valid, keepsText));
      readRows += rows.length;
      validRows += valid.length;
      progress.update(stream.bytesRead, readRows);
    }
  } finally {
    progress.stop();
  }
  return validRows;
};

/** The rows of `checkRows`, in batches. */
export function* readChecked(spool: Spool): Generator<CheckedRow[]> {
  for (const text of spool.read()) {
    const { head, rows }: EncodedBatch = JSON.parse(text);
    yield rows.map(([line, plant, raw]) => ({
      line,
      head,
      raw: () => Buffer.from(raw, 'latin1'),
      plant: Object.assign(plant, integersOf(plant, BigInt)),
    }));
  }
}

/** JSON has neither bigint nor bytes: the integers of a plant are texts, and `raw` is in Latin-1. */
interface EncodedBatch {
  readonly head: string;
  readonly rows: readonly [line: number, plant: ImportedPlant, raw: string][];
}

const integersOf = <Value>(plant: ImportedPlant, convert: (value: bigint | string) => Value): Record<string, Value> => {
  const converted: Record<string, Value> = {};
  for (const member of integers) {
    const value = plant[member];
    if (value !== undefined) converted[member] = convert(value);
  }
  return converted;
};

const encode = (checked: readonly CheckedRow[], keepsText: boolean): string => {
  const toText = (raw: Uint8Array): string => Buffer.from(raw).toString('latin1');
  const batch: EncodedBatch = {
    head: checked[0]?.head ?? '',
    rows: checked.map(({ line, raw, plant }) => [
      line,
      Object.assign({ ...plant }, integersOf(plant, String)),
      keepsText ? toText(raw()) : '',
    ]),
  };
  return JSON.stringify(batch);
};

/** The row if it is valid. */
const checkRow = (row: Row, rejects: Rejects): CheckedRow[] => {
  const { line, head, raw } = row;
  try {
    return [{ line, head, raw, plant: row.parse() }];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    rejects.add(row, error.message);
    return [];
  }
};

/** The same bytes. An error of the system names the file. */
async function* readBytes(stream: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw withFile('read', file === '-' ? 'from stdin' : file, error);
  }
}

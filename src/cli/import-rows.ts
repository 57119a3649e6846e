/** The rows of an import. The valid ones wait in a spool until all are checked; the others are rejected. */
import { createReadStream } from 'node:fs';
import { OperatorError, withFile } from '../base/error.ts';
import type { Spool } from '../base/spool.ts';
import type { ImportedPlant } from '../plants/plant.ts';
import type { Context } from './context.ts';
import { integers, type PlantFormat, type Row } from './formats/format.ts';
import type { Ignored } from './formats/ignored.ts';
import { withProgress } from './progress.ts';
import type { RejectedRow, Rejects } from './rejects.ts';

/** A row and its plant. It is rejected later if the id of the plant is taken. */
export type CheckedRow = RejectedRow & { readonly plant: ImportedPlant };

interface CheckOptions extends Pick<Context, 'printMessage'> {
  readonly format: PlantFormat;
  /** Undefined for a pipe. */
  readonly sizeBytes: number | undefined;
  /** Whether `raw` of the valid rows is needed. Otherwise it is empty. */
  readonly keepsText: boolean;
  readonly rejects: Rejects;
  readonly ignored: Ignored;
  readonly spool: Spool;
  readonly signal: AbortSignal;
}

/** Reads all rows of a file, or of stdin for `-`. Adds the valid ones to `spool`, returns their number, and rejects the others. */
export const checkRows = async (
  file: string,
  { format, sizeBytes, keepsText, rejects, ignored, spool, signal, printMessage }: CheckOptions,
): Promise<number> => {
  signal.throwIfAborted();
  const stream = file === '-' ? process.stdin : createReadStream(file);
  signal.addEventListener('abort', () => stream.destroy(signal.reason));
  const batches = withProgress(format.readRows(readBytes(stream, file), ignored.add), {
    title: 'Checking',
    total: sizeBytes,
    signal,
    countRows: (rows) => rows.length,
    position: () => stream.bytesRead,
    printMessage,
  });
  let validRows = 0;
  for await (const rows of batches) {
    const valid = rows.flatMap((row) => checkRow(row, rejects));
    if (valid.length > 0) spool.add(encode(valid, keepsText));
    validRows += valid.length;
  }
  return validRows;
};

/** Adds the name of the file to an error of the system. */
async function* readBytes(stream: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw withFile('read', file === '-' ? 'from stdin' : file, error);
  }
}

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

/** The rows of `checkRows`, in batches. */
export function* readChecked(spool: Spool): Generator<CheckedRow[]> {
  for (const text of spool.read()) {
    const { head, rows }: EncodedBatch = JSON.parse(text);
    yield rows.map(([line, plant, raw]) => ({
      line,
      head,
      raw: () => Buffer.from(raw),
      plant: Object.assign(plant, integersOf(plant, BigInt)),
    }));
  }
}

/** JSON has neither bigint nor bytes: the integers of a plant are texts, and so is `raw`, which is UTF-8 since the row is valid. */
interface EncodedBatch {
  readonly head: string;
  readonly rows: readonly [line: number, plant: ImportedPlant, raw: string][];
}

const encode = (checked: readonly CheckedRow[], keepsText: boolean): string => {
  const batch: EncodedBatch = {
    head: checked[0]?.head ?? '',
    rows: checked.map(({ line, raw, plant }) => [
      line,
      Object.assign({ ...plant }, integersOf(plant, String)),
      keepsText ? raw().toString() : '',
    ]),
  };
  return JSON.stringify(batch);
};

const integersOf = <Value>(plant: ImportedPlant, convert: (value: bigint | string) => Value): Record<string, Value> => {
  const converted: Record<string, Value> = {};
  for (const member of integers) {
    const value = plant[member];
    if (value !== undefined) converted[member] = convert(value);
  }
  return converted;
};

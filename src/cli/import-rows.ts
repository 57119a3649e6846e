/** The rows of an import. The valid ones wait in a spool until all are checked; the others are rejected. */
import { createReadStream } from 'node:fs';
import { OperatorError, withFile } from '../base/error.ts';
import type { Spool } from '../base/spool.ts';
import type { ImportedPlant } from '../plants/plant.ts';
import type { Context } from './context.ts';
import type { FileRow, PlantFormat } from './formats/format.ts';
import type { Ignored } from './formats/ignored.ts';
import { withProgress } from './progress.ts';
import type { RejectedRow, Rejects } from './rejects.ts';

/** A valid row. It is rejected later if the id of its plant is taken. */
export interface CheckedRow extends RejectedRow {
  readonly plant: ImportedPlant;
}

interface CheckOptions extends Pick<Context, 'printMessage'> {
  readonly format: PlantFormat;
  /** Undefined for a pipe. */
  readonly sizeBytes: number | undefined;
  /** Whether `raw` of the valid rows is needed. Otherwise it is empty. */
  readonly keepsText: boolean;
  readonly rejects: Rejects;
  readonly ignored: Ignored;
  readonly spool: Spool<readonly CheckedRow[]>;
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
    const valid = rows.flatMap((row) => checkRow(row, keepsText, rejects));
    if (valid.length > 0) spool.add(valid);
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

const checkRow = (row: FileRow, keepsText: boolean, rejects: Rejects): CheckedRow[] => {
  const { line, head, raw } = row;
  try {
    const plant = row.parse();
    return [{ line, head, raw: keepsText ? raw() : '', plant }];
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    rejects.add({ line, head, raw: raw() }, error.message);
    return [];
  }
};

/** The rows of an import. The valid ones wait in a spool until all are checked; the others are rejected. */
import { closeSync, createReadStream, openSync, writeFileSync } from 'node:fs';
import { OperatorError, withFile } from '../base/error.ts';
import { createDraft, isTakenName, type Spool } from '../base/temporary-file.ts';
import type { ImportedPlant } from '../plants/plant.ts';
import { integers, type PlantFormat, type Row } from './formats/format.ts';
import type { Ignored } from './formats/ignored.ts';
import { countOf, printMessage } from './output.ts';
import { withProgress } from './progress.ts';

/** A row and its plant. It is rejected later if the id of the plant is taken. */
export type CheckedRow = RejectedRow & { readonly plant: ImportedPlant };

type RejectedRow = Pick<Row, 'line' | 'head' | 'raw'>;

interface CheckOptions {
  readonly format: PlantFormat;
  /** Absent for a pipe. */
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
  { format, sizeBytes, keepsText, rejects, ignored, spool, signal }: CheckOptions,
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
  });
  let validRows = 0;
  for await (const rows of batches) {
    const valid = rows.flatMap((row) => checkRow(row, rejects));
    if (valid.length > 0) spool.add(encode(valid, keepsText));
    validRows += valid.length;
  }
  return validRows;
};

/** The same bytes. An error of the system names the file. */
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

export type Rejects = ReturnType<typeof createRejects>;

/** @limit Processes | Rejected rows that `import` prints | The others are counted. */
const printedRowsMax = 100;

/**
 * The rows that an import rejects. They go to a file at `path`, which begins as a draft with the first row; without a path,
 * every row must be valid. Throws OperatorError when the name is taken.
 */
export const createRejects = (path?: string) => {
  if (path !== undefined && isTakenName(path)) {
    throw new OperatorError(`${path} exists; choose another file for the rejected rows with --rejects.`);
  }
  const printed: string[] = [];
  let count = 0;
  let file: ReturnType<typeof openFile> | undefined;

  const throwIfInvalid = (): void => {
    if (path !== undefined || count === 0) return;
    // The rest of the file is not read then.
    const rows = count === printedRowsMax ? `At least ${count} rows` : countOf(count, 'row');
    throw new OperatorError(`${rows} ${count === 1 ? 'is' : 'are'} invalid; nothing was imported.`);
  };

  return {
    get count() {
      return count;
    },
    /** Throws as `throwIfInvalid` does, once so many rows are rejected that the import stops early. */
    add: (row: RejectedRow, reason: string): void => {
      count += 1;
      if (printed.length < printedRowsMax) printed.push(`line ${row.line}: ${reason}`);
      if (path !== undefined) {
        try {
          file ??= openFile(path, row.head);
          writeFileSync(file.descriptor, Buffer.concat([row.raw(), Buffer.from('\n')]));
        } catch (error) {
          throw withFile('write', path, error);
        }
      }
      if (count === printedRowsMax) throwIfInvalid();
    },
    /** Throws OperatorError when every row must be valid and some are not. */
    throwIfInvalid,
    /** Gives the file its name, or leaves it under the name of the draft if the name is taken by now. Prints the name. */
    keep: (): void => {
      if (path === undefined || !file) return;
      const { draft } = file;
      // The import is committed, so the rows are kept whatever happens to the name.
      draft.leave();
      try {
        draft.take({ replace: false });
        printMessage(`The rejected rows are in ${path}.`);
      } catch {
        printMessage(`The rejected rows are in ${draft.path}.`);
      }
    },
    /** Prints the first rows with their reasons, and the number of the others. */
    print: (): void => {
      for (const line of printed) printMessage(line);
      if (count > printed.length) printMessage(`… and ${count - printed.length} more`);
    },
    [Symbol.dispose]: (): void => {
      if (!file) return;
      closeSync(file.descriptor);
      file.draft[Symbol.dispose]();
    },
  };
};

const openFile = (path: string, head: string) => {
  const draft = createDraft(path);
  const descriptor = openSync(draft.path, 'a');
  if (head !== '') writeFileSync(descriptor, `${head}\n`);
  return { draft, descriptor };
};

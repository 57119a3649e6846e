/**
 * Imports the plants of a file in one transaction: all or nothing, unless `--partial` keeps the valid rows. An interrupt leaves
 * the store unchanged. Rows are read, checked and written in batches, so memory does not grow with the file.
 */
import { createReadStream, statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { OperatorError } from '../base/error.ts';
import { createInterrupt } from '../base/signal.ts';
import { withFile } from '../base/system-error.ts';
import { type Flags, readConfig } from '../config.ts';
import { idTaken } from '../domain/error.ts';
import type { ImportedPlant } from '../domain/plant.ts';
import type { PutOutcome, PutPlants } from '../store/store.ts';
import { refuseDatabase, withStore } from './database.ts';
import type { Row } from './formats/format.ts';
import { type FormatName, formatOf, formatOption } from './formats/option.ts';
import { addDatabaseOption, parseFileName } from './options.ts';
import { createProgress } from './progress.ts';
import { createRejects, type Rejects } from './rejects.ts';
import { targetOf } from './target.ts';

export const addImport = (program: Command): void => {
  addDatabaseOption(program.command('import'))
    .description('import the plants of a file: all of them, or none')
    .argument('<file>', 'NDJSON or CSV file, or - for stdin', parseFileName)
    .addOption(formatOption())
    .addOption(
      new Option('--on-conflict <what>', 'what to do if the id belongs to a different plant')
        .choices(['fail', 'skip', 'replace'])
        .default('fail'),
    )
    .option('--partial', 'import the valid rows, and write the rejected ones to a file')
    .addOption(
      new Option('--rejects <file>', 'file for the rejected rows, which must not exist (default: FILE.rejected)')
        .argParser(parseFileName)
        .implies({ partial: true }),
    )
    .action(importPlants);
};

type OnConflict = 'fail' | 'skip' | 'replace';

interface ImportFlags extends Flags {
  readonly format?: FormatName;
  readonly onConflict: OnConflict;
  readonly partial?: boolean;
  readonly rejects?: string;
}

const importPlants = async (
  file: string,
  { format: name, onConflict, partial, rejects: path, ...flags }: ImportFlags,
): Promise<void> => {
  const config = readConfig(flags);
  if (file !== '-') refuseDatabase(file, config);
  const format = formatOf(file, name);
  const sizeBytes = sizeOf(file);
  const rejectsPath = path ?? (file === '-' ? 'stdin.rejected' : `${file}.rejected`);
  if (partial) targetOf(rejectsPath, config);
  using rejects = createRejects(partial ? rejectsPath : undefined);
  const progress = createProgress('Importing', sizeBytes);
  const counts = { created: 0, unchanged: 0, replaced: 0, taken: 0 };
  const stream = file === '-' ? process.stdin : createReadStream(file);
  using interrupt = createInterrupt();
  interrupt.signal.addEventListener('abort', () => stream.destroy(interrupt.signal.reason));
  // The stream is not read while the store waits for a lock. The reader gets the error later.
  stream.on('error', () => {});
  let readRows = 0;

  const count = (outcomes: readonly PutOutcome[], rows: number): void => {
    for (const outcome of outcomes) counts[outcome] += 1;
    readRows += rows;
    progress.update(stream.bytesRead, readRows);
  };

  try {
    await withStore(config, {}, ({ plants }) =>
      plants.putAll(async (put) => {
        interrupt.signal.throwIfAborted();
        // The next rows are read and encoded while the store puts the previous ones.
        let earlier: Promise<void> = Promise.resolve();
        for await (const rows of format.readRows(readBytes(stream, file))) {
          const putting = putRows(rows, put, onConflict, rejects).then((outcomes) => count(outcomes, rows.length));
          // The loop waits for it in its next turn.
          putting.catch(() => {});
          await earlier;
          earlier = putting;
        }
        await earlier;
        rejects.throwIfRefused();
      }),
    );
  } finally {
    progress.stop();
    rejects.print();
  }
  rejects.keep();
  const { created, replaced, unchanged, taken } = counts;
  const skipped = onConflict === 'skip' ? taken : 0;
  console.error(
    `${created} created, ${replaced} replaced, ${unchanged} unchanged, ${skipped} skipped, ${rejects.count} rejected.`,
  );
};

/** Writes the valid rows to the store, and rejects the others in order. */
const putRows = async (rows: readonly Row[], put: PutPlants, onConflict: OnConflict, rejects: Rejects) => {
  const read = rows.map((row) => ({ row, plant: readPlant(row) }));
  const valid = read.flatMap(({ plant }) => (plant instanceof OperatorError ? [] : [plant]));
  const outcomes = await put(valid, onConflict === 'replace' ? 'replace' : 'leave');

  const rest = outcomes.values();
  for (const { row, plant } of read) {
    if (plant instanceof OperatorError) rejects.add(row, plant.message);
    else if (rest.next().value === 'taken' && onConflict === 'fail') rejects.add(row, idTaken.sentence);
  }
  return outcomes;
};

/** The plant of a row, or why the row is invalid. */
const readPlant = (row: Row): ImportedPlant | OperatorError => {
  try {
    return row.parse();
  } catch (error) {
    if (error instanceof OperatorError) return error;
    throw error;
  }
};

/** Absent for a pipe. Throws OperatorError when the file cannot be read. */
const sizeOf = (file: string): number | undefined => {
  if (file === '-') return undefined;
  try {
    const stat = statSync(file);
    return stat.isFile() ? stat.size : undefined;
  } catch (error) {
    throw withFile('read', file, error);
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

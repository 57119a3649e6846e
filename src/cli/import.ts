/**
 * Imports the plants of a file in one transaction: all or nothing, unless `--partial` keeps the valid rows. An interrupt leaves
 * the store unchanged. All rows are read and checked before the transaction begins, so other writers do not wait for a slow pipe or
 * for rows that are not put. Meanwhile they are in a temporary file, so memory does not grow with their number.
 */
import { createReadStream, statSync } from 'node:fs';
import { type Command, Option } from 'commander';
import { withFile } from '../base/error.ts';
import { createInterrupt } from '../base/signal.ts';
import { createSpool } from '../base/spool.ts';
import type { Flags } from '../config/config.ts';
import { spoolFolderOf } from '../config/spool-folder.ts';
import type { PlantFormat } from '../plants/transfer/format.ts';
import { createIgnored } from '../plants/transfer/ignored.ts';
import { type CheckedRow, checkRows, conflictRules, type OnConflict, putRows } from '../plants/transfer/import-rows.ts';
import type { Context } from './context.ts';
import { type StoreOptions, withStore } from './database.ts';
import { fileToWrite, refuseDatabase } from './database-files.ts';
import { type FormatName, formatOf, formatOption } from './format-option.ts';
import { loadConfig } from './load-config.ts';
import { addDatabaseOption, parseFileName } from './options.ts';
import { withProgress } from './progress.ts';
import { createRejects } from './rejects.ts';

export const addImport = (program: Command, context: Context): void => {
  addDatabaseOption(program.command('import'))
    .description('import the plants of a file: all of them, or none')
    .argument('<file>', 'NDJSON or CSV file, or - for stdin', parseFileName)
    .addOption(formatOption())
    .addOption(
      new Option('--on-conflict <what>', 'what to do if the id belongs to a different plant')
        .choices(conflictRules)
        .default('fail'),
    )
    .option('--partial', 'import the valid rows, and write the rejected ones to a file')
    .addOption(
      new Option('--rejects <file>', 'file for the rejected rows, which must not exist (default: FILE.rejected)')
        .argParser(parseFileName)
        .implies({ partial: true }),
    )
    .action((file, flags) => importPlants(file, flags, context));
};

interface ImportFlags extends Flags {
  readonly format?: FormatName;
  readonly onConflict: OnConflict;
  readonly partial?: boolean;
  readonly rejects?: string;
}

const importPlants = async (
  file: string,
  { format: name, onConflict, partial = false, rejects: path, ...flags }: ImportFlags,
  { env, printMessage }: Context,
): Promise<void> => {
  const config = await loadConfig(flags, env);
  if (file !== '-') refuseDatabase(file, config);
  const format = formatOf(file, name);
  const sizeBytes = sizeOf(file);
  const rejectsPath = path ?? (file === '-' ? 'stdin.rejected' : `${file}.rejected`);
  if (partial) fileToWrite(rejectsPath, config, { force: true });
  using rejects = createRejects(partial ? rejectsPath : undefined, printMessage);
  const ignored = createIgnored();
  using interrupt = createInterrupt();
  const { signal } = interrupt;
  using spool = createSpool<readonly CheckedRow[]>(spoolFolderOf(config));
  // A command that is called for rows must not change the schema in silence.
  const onMigrated: StoreOptions['onMigrated'] = (names, { isNew }) => {
    if (!isNew) printMessage(`The database was migrated: ${names.join(', ')}.`);
  };
  const reject = rejects.add;
  const countRows = ({ length }: { readonly length: number }): number => length;
  let counts = { created: 0, unchanged: 0, replaced: 0, taken: 0 };
  try {
    await withStore(config, { upgrade: true, onMigrated }, async ({ plants }) => {
      const rows = readRows(file, { format, sizeBytes, onIgnored: ignored.add, signal, printMessage });
      const total = await checkRows(rows, { keepsText: partial && onConflict === 'fail', reject, spool });
      rejects.throwIfInvalid();
      if (total === 0) return;
      await plants.putAll(async (put) => {
        const batches = withProgress(spool.read(), { title: 'Importing', total, signal, countRows, printMessage });
        counts = await putRows(batches, { put, onConflict, reject });
        rejects.throwIfInvalid();
      });
    });
  } finally {
    rejects.print();
    const message = ignored.message(format.fieldWord);
    if (message !== undefined) printMessage(message);
  }
  rejects.keep();
  const { created, replaced, unchanged, taken } = counts;
  const skipped = onConflict === 'skip' ? taken : 0;
  printMessage(
    `${created} created, ${replaced} replaced, ${unchanged} unchanged, ${skipped} skipped, ${rejects.count} rejected.`,
  );
};

interface ReadOptions extends Pick<Context, 'printMessage'> {
  readonly format: PlantFormat;
  /** Undefined for a pipe. */
  readonly sizeBytes: number | undefined;
  readonly onIgnored: (name: string) => void;
  readonly signal: AbortSignal;
}

/** The rows of a file, or of stdin for `-`. */
const readRows = (file: string, { format, sizeBytes, onIgnored, signal, printMessage }: ReadOptions) => {
  signal.throwIfAborted();
  const stream = file === '-' ? process.stdin : createReadStream(file);
  signal.addEventListener('abort', () => stream.destroy(signal.reason));
  return withProgress(format.readRows(readBytes(stream, file), onIgnored), {
    title: 'Checking',
    total: sizeBytes,
    signal,
    countRows: ({ length }) => length,
    position: () => stream.bytesRead,
    printMessage,
  });
};

/** Adds the name of the file to an error of the system. */
async function* readBytes(stream: AsyncIterable<Uint8Array>, file: string): AsyncGenerator<Uint8Array> {
  try {
    yield* stream;
  } catch (error) {
    throw withFile('read', file === '-' ? 'from stdin' : file, error);
  }
}

/** Undefined for a pipe. Throws OperatorError when the file cannot be read. */
const sizeOf = (file: string): number | undefined => {
  if (file === '-') return undefined;
  try {
    const stat = statSync(file);
    return stat.isFile() ? stat.size : undefined;
  } catch (error) {
    throw withFile('read', file, error);
  }
};

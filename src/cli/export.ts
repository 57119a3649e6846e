import { isatty } from 'node:tty';
import type { Command } from 'commander';
import { codeOf, withFile } from '../base/error.ts';
import { escapeAllButLineEnds } from '../base/printable.ts';
import { createInterrupt } from '../base/signal.ts';
import { createDraft } from '../base/temporary-file.ts';
import { countOf } from '../base/text.ts';
import { type Flags, loadConfig } from '../config.ts';
import type { PlantStore } from '../store/store.ts';
import type { Context } from './context.ts';
import { withStore } from './database.ts';
import { existing, targetOf } from './database-files.ts';
import { openSink } from './descriptor.ts';
import type { PlantFormat } from './formats/format.ts';
import { type FormatName, formatOf, formatOption } from './formats/option.ts';
import { addDatabaseOption, parseFileName } from './options.ts';
import { withProgress } from './progress.ts';

export const addExport = (program: Command, context: Context): void => {
  addDatabaseOption(program.command('export'))
    .description('write all plants to a file, ordered by id, from one consistent snapshot')
    .argument('<file>', 'NDJSON or CSV file, or - for stdout', parseFileName)
    .addOption(formatOption())
    .option('--force', 'replace the file if it exists, once the export is complete')
    .addHelpText('after', onFormulas)
    .action((file, flags) => exportPlants(file, flags, context));
};

const onFormulas = `
Values are exact. A spreadsheet takes a CSV cell that begins with =, +, - or @
for a formula, so import the file there as text.`;

interface ExportFlags extends Flags {
  readonly format?: FormatName;
  readonly force?: boolean;
}

const exportPlants = async (
  file: string,
  { format: name, force = false, ...flags }: ExportFlags,
  { env, stdout, printMessage }: Context,
): Promise<void> => {
  using interrupt = createInterrupt();
  const config = await loadConfig(flags, env);
  const target = file === '-' || file === '/dev/stdout' ? undefined : targetOf(file, config, { force });
  const format = formatOf(file, name);
  // People read a terminal. Every other character device, such as /dev/null, counts as one.
  const isTerminal = target === undefined ? isatty(stdout) : target.isCharacterDevice;
  await withStore(config, { create: false }, async ({ plants }) => {
    const writeTo = async (path: string | undefined): Promise<void> => {
      using sink = await openSink(path ?? stdout, interrupt.signal);
      await writePlants(plants, isTerminal ? escaped(format) : format, {
        write: sink.write,
        signal: interrupt.signal,
        printMessage,
      });
    };
    try {
      if (target === undefined || target.isStream) return await writeTo(target?.path);

      using draft = createDraft(target.path);
      await writeTo(draft.path);
      draft.take({ replace: force });
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw existing(file);
      throw withFile('write', target === undefined ? 'to stdout' : file, error);
    }
  });
};

/** The format with control characters escaped. The values of NDJSON do not change. */
const escaped = (format: PlantFormat): PlantFormat => ({
  ...format,
  encode: (records) => escapeAllButLineEnds(format.encode(records)),
});

interface WriteOptions extends Pick<Context, 'printMessage'> {
  readonly write: (text: string) => Promise<void>;
  readonly signal: AbortSignal;
}

const writePlants = async (
  plants: PlantStore,
  { head, encode }: PlantFormat,
  { write, signal, printMessage }: WriteOptions,
): Promise<void> => {
  let rows = 0;
  const batches = withProgress(plants.scan(), {
    title: 'Exporting',
    total: await plants.count(),
    signal,
    countRows: (records) => records.length,
    printMessage,
  });
  await write(head);
  for await (const records of batches) {
    await write(encode(records));
    rows += records.length;
  }
  printMessage(`${countOf(rows, 'plant')} exported.`);
};

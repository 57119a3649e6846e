import { isatty } from 'node:tty';
import type { Command } from 'commander';
import { codeOf, withFile } from '../base/error.ts';
import { escapeAllButLineEnds } from '../base/printable.ts';
import { createInterrupt } from '../base/signal.ts';
import { createDraft } from '../base/temporary-file.ts';
import { countOf } from '../base/text.ts';
import type { Flags } from '../config/config.ts';
import type { Context } from './context.ts';
import { withStore } from './database.ts';
import { existing, fileToWrite } from './database-files.ts';
import { openSink } from './descriptor.ts';
import { type FormatName, formatOf, formatOption } from './format-option.ts';
import { loadConfig } from './load-config.ts';
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
  const { signal } = interrupt;
  const config = await loadConfig(flags, env);
  const target = file === '-' || file === '/dev/stdout' ? undefined : fileToWrite(file, config, { force });
  const { head, encode } = formatOf(file, name);
  // People read a terminal. Every other character device, such as /dev/null, counts as one.
  const isTerminal = target === undefined ? isatty(stdout) : target.isCharacterDevice;
  await withStore(config, { create: false }, async ({ plants }) => {
    const writeTo = async (pathOrDescriptor: string | number): Promise<void> => {
      using sink = await openSink(pathOrDescriptor, signal);
      const total = await plants.count();
      const countRows = ({ length }: { readonly length: number }): number => length;
      let rows = 0;
      await sink.write(head);
      for await (const records of withProgress(plants.scan(), {
        title: 'Exporting',
        total,
        signal,
        countRows,
        printMessage,
      })) {
        const text = encode(records);
        // The values of NDJSON do not change by it.
        await sink.write(isTerminal ? escapeAllButLineEnds(text) : text);
        rows += records.length;
      }
      printMessage(`${countOf(rows, 'plant')} exported.`);
    };
    try {
      if (target === undefined || target.isStream) return await writeTo(target?.path ?? stdout);

      using draft = createDraft(target.path);
      await writeTo(draft.path);
      draft.take({ replace: force });
    } catch (error) {
      if (codeOf(error) === 'EEXIST') throw existing(file);
      throw withFile('write', target === undefined ? 'to stdout' : file, error);
    }
  });
};

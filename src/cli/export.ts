import { setImmediate } from 'node:timers/promises';
import type { Command } from 'commander';
import { createDraft } from '../base/draft.ts';
import type { OperatorError } from '../base/operator-error.ts';
import { readConfig } from '../config.ts';
import type { PlantStore } from '../store/store.ts';
import { onInterrupt } from './interrupt.ts';
import { addDatabaseOption, type FormatFlags, formatOf, formatOption, withStore } from './options.ts';
import { throwIfClosed } from './output.ts';
import type { PlantFormat } from './plant-format.ts';
import { createProgress } from './progress.ts';
import { isReplaceable, targetOf } from './target.ts';

export const addExport = (program: Command): void => {
  addDatabaseOption(program.command('export'))
    .description('write all plants, by ascending id, from one snapshot of the store')
    .argument('<file>', 'NDJSON or CSV; - for stdout. A file of that name is replaced once the export is whole')
    .addOption(formatOption())
    .action(exportPlants);
};

const exportPlants = async (file: string, { format, ...flags }: FormatFlags): Promise<void> => {
  const stop: Stop = { reason: undefined };
  using _ = onInterrupt((reason) => {
    stop.reason = reason;
  });
  const plantFormat = formatOf(file, format);
  const config = readConfig(flags);
  const target = file === '-' || file === '/dev/stdout' ? undefined : targetOf(file, config);
  if (target === undefined) throwIfClosed();
  await withStore(flags, { create: false }, async ({ plants }) => {
    if (target === undefined) return write(plants, plantFormat, Bun.stdout.writer(), stop);
    if (!isReplaceable(target)) return write(plants, plantFormat, Bun.file(target).writer(), stop);

    using draft = createDraft(target);
    await write(plants, plantFormat, Bun.file(draft.path).writer(), stop);
    draft.take({ replace: true });
  });
};

/** Asked for by a signal, and looked for between batches. */
interface Stop {
  reason: OperatorError | undefined;
}

const write = async (
  plants: PlantStore,
  { head, encode }: PlantFormat,
  sink: Bun.FileSink,
  stop: Readonly<Stop>,
): Promise<void> => {
  const progress = createProgress('Exporting', await plants.count());
  let rows = 0;
  try {
    // Each write is awaited, since the sink tells an error, such as a full disk, there and nowhere after.
    await sink.write(head);
    for await (const records of plants.scan()) {
      // A signal is delivered between turns of the event loop, and reading and writing here take none by themselves.
      await setImmediate();
      if (stop.reason) throw stop.reason;
      await sink.write(encode(records));
      await sink.flush();
      rows += records.length;
      progress.update(rows, rows);
    }
    await sink.end();
  } finally {
    progress.stop();
  }
  console.error(`${rows} exported.`);
};

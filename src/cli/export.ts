import { existsSync, statSync } from 'node:fs';
import { setImmediate } from 'node:timers/promises';
import type { Command } from 'commander';
import { createDraft } from '../base/draft.ts';
import { createInterrupt } from '../base/signal.ts';
import { type Flags, readConfig } from '../config.ts';
import type { PlantStore } from '../store/store.ts';
import { targetOf, withStore } from './database.ts';
import type { PlantFormat } from './formats/format.ts';
import { type FormatName, formatOf, formatOption } from './formats/option.ts';
import { addDatabaseOption } from './options.ts';
import { throwIfClosed } from './output.ts';
import { createProgress } from './progress.ts';

export const addExport = (program: Command): void => {
  addDatabaseOption(program.command('export'))
    .description('write all plants, by ascending id, from one snapshot of the store')
    .argument('<file>', 'NDJSON or CSV; - for stdout. A file of that name is replaced once the export is whole')
    .addOption(formatOption())
    .action(exportPlants);
};

const exportPlants = async (file: string, { format, ...flags }: Flags & { format?: FormatName }): Promise<void> => {
  using interrupt = createInterrupt();
  const config = readConfig(flags);
  const target = file === '-' || file === '/dev/stdout' ? undefined : targetOf(file, config);
  if (target === undefined) throwIfClosed();
  await withStore(config, { create: false }, async ({ plants }) => {
    const writeTo = (sink: Bun.FileSink) => writePlants(plants, formatOf(file, format), sink, interrupt.signal);
    if (target === undefined) return writeTo(Bun.stdout.writer());
    // A pipe or a device cannot be replaced.
    if (existsSync(target) && !statSync(target).isFile()) return writeTo(Bun.file(target).writer());

    using draft = createDraft(target);
    await writeTo(Bun.file(draft.path).writer());
    draft.take({ replace: true });
  });
};

const writePlants = async (
  plants: PlantStore,
  { head, encode }: PlantFormat,
  sink: Bun.FileSink,
  interrupted: AbortSignal,
): Promise<void> => {
  const progress = createProgress('Exporting', await plants.count());
  let rows = 0;
  try {
    // The sink reports an error, such as a full disk, in the promise of a write alone.
    await sink.write(head);
    for await (const records of plants.scan()) {
      // Signals are delivered between turns of the event loop, and reading and writing may take none.
      await setImmediate();
      interrupted.throwIfAborted();
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

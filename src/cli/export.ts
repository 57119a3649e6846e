import { renameSync, rmSync } from 'node:fs';
import type { Command } from 'commander';
import type { PlantStore } from '../store/store.ts';
import {
  addDatabaseOption,
  type DatabaseFlags,
  type FormatName,
  formatOf,
  formatOption,
  withStore,
} from './options.ts';
import type { PlantFormat } from './plant-format.ts';
import { createProgress } from './progress.ts';

export const addExport = (program: Command): void => {
  addDatabaseOption(program.command('export'))
    .description('write all plants, by ascending id, from one snapshot of the store')
    .argument('<file>', 'NDJSON or CSV; - for stdout. A file of that name is replaced once the export is whole')
    .addOption(formatOption())
    .action(exportPlants);
};

interface ExportFlags extends DatabaseFlags {
  readonly format?: FormatName;
}

const exportPlants = (file: string, { format, ...flags }: ExportFlags): Promise<void> =>
  withStore(flags, async ({ plants }) => {
    const plantFormat = formatOf(file, format);
    if (file === '-') return write(plants, plantFormat, Bun.stdout.writer());

    const draft = `${file}.${process.pid}.new`;
    try {
      await write(plants, plantFormat, Bun.file(draft).writer());
      renameSync(draft, file);
    } finally {
      rmSync(draft, { force: true });
    }
  });

const write = async (plants: PlantStore, { head, encode }: PlantFormat, sink: Bun.FileSink): Promise<void> => {
  const progress = createProgress('Exporting', await plants.count());
  let rows = 0;
  try {
    sink.write(head);
    for await (const records of plants.scan()) {
      sink.write(encode(records));
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

/** Files that other programs have written, which bring an export back without a change. `other-programs/README.md` says how. */
import { expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { freshDatabase } from '../support/postgres/postgres-database.ts';
import { runCommand } from '../support/programs/command.ts';
import { createWorkplace } from '../support/programs/workplace.ts';

const folder = join(import.meta.dir, 'other-programs');
const files = readdirSync(folder).filter((name) => extname(name) !== '.md');
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');

const importAndExport = async (name: string, database: string): Promise<void> => {
  const run = (...args: string[]) => runCommand([...args, '--database', database]);
  const { exitCode, stderr } = await run('import', join(folder, name));
  expect({ name, exitCode, stderr }).toMatchObject({ exitCode: 0, stderr: expect.stringContaining('3 created') });
  for (const format of ['ndjson', 'csv'])
    expect((await run('export', '-', '--format', format)).stdout).toBe(read(`export.${format}`));
};

test.each(files)('%s brings an export back to SQLite without a change', async (name) => {
  using work = createWorkplace();
  await importAndExport(name, work.database);
});

test.each(files.filter((name) => /duckdb|libreoffice/.test(name)))(
  '%s brings an export back to PostgreSQL without a change',
  async (name) => {
    await using database = await freshDatabase();
    await importAndExport(name, database.url);
  },
);

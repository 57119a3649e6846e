/**
 * `bun run migrations NAME` generates a migration for each engine whose tables have changed. `bun run migrations` checks those that exist.
 * Both write the lists of their text, which the program imports: a compiled binary has no folder with them.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copiedTables } from './src/storage/copy.ts';

interface Engine {
  /** The configuration of drizzle-kit. */
  readonly config: string;
  readonly tables: string;
  /** The folder of its migrations. The list has the same path, with `.json`. */
  readonly folder: string;
}

const all: readonly Engine[] = [
  { config: 'drizzle.config.ts', tables: 'db/sqlite.ts', folder: 'db/migrations' },
  {
    config: 'src/postgres/db/drizzle.config.ts',
    tables: 'src/postgres/db/tables.ts',
    folder: 'src/postgres/db/migrations',
  },
];

/** Those of this checkout: an engine can be removed with its folder. */
export const engines = all.filter(({ config }) => existsSync(join(import.meta.dirname, config)));

/** The list as JSON: the name and the text of each migration, in order. */
export const renderList = ({ folder }: Engine): string => {
  const read = (name: string): string => readFileSync(join(import.meta.dirname, folder, name), 'utf8');
  const { entries }: { entries: readonly { tag: string }[] } = JSON.parse(read('meta/_journal.json'));
  const list = entries.map(({ tag: name }) => ({ name, sql: read(`${name}.sql`) }));
  return `${JSON.stringify(list, null, 2)}\n`;
};

const kit = async (...args: readonly string[]): Promise<void> => {
  const command = [process.execPath, '--bun', 'node_modules/drizzle-kit/bin.cjs', ...args];
  const child = Bun.spawn(command, { cwd: import.meta.dirname, stdio: ['inherit', 'inherit', 'inherit'] });
  if ((await child.exited) !== 0) process.exit(1);
};

if (import.meta.main) {
  const [, , name] = process.argv;
  for (const engine of engines) {
    // Throws for a table that could not be copied, before it has a migration.
    copiedTables(await import(join(import.meta.dirname, engine.tables)), [], () => false);
    await kit(...(name === undefined ? ['check'] : ['generate', '--name', name]), '--config', engine.config);
    writeFileSync(join(import.meta.dirname, `${engine.folder}.json`), renderList(engine));
  }
}

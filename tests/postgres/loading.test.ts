import { expect, test } from 'bun:test';
import { temporaryFolder } from '../support/folder.ts';
import { freshDatabase } from '../support/postgres/postgres-database.ts';
import { printingModules, stopForModules } from '../support/programs/loaded-modules.ts';
import { startServer } from '../support/programs/process.ts';

/** The files of the engine that `serve` loads on this database. */
const loadedOn = async (database: string): Promise<string[]> => {
  await using server = await startServer(database, { program: printingModules });
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  return (await stopForModules(server)).flatMap((path) => /\/src\/postgres\/(.*)/.exec(path)?.[1] ?? []);
};

test('on SQLite, no file of the engine is loaded', async () => {
  using folder = temporaryFolder();
  expect(await loadedOn(folder.file('p.sqlite'))).toEqual([]);
});

test('on PostgreSQL, its files are, and the driver of the runtime', async () => {
  await using database = await freshDatabase();
  const loaded = await loadedOn(database.url);
  expect(loaded).toContain('open.ts');
  expect(loaded.filter((path) => path.startsWith('driver/')).sort()).toEqual(['driver/bun.ts', 'driver/url.ts']);
});

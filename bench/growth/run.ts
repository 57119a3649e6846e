/**
 * Measures how the cost of the service grows with its plants and events, on both engines, beside the database alone: CPU time, since other work
 * of the machine hardly changes it. The plants and their events come from an import.
 *
 *     bun run bench growth [--least 10000] [--rows 1000000]     each size is ten times the last one; others keep their results
 */
import { join } from 'node:path';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { least, rows } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { here } from '../support/servers.ts';
import { measureBarePostgres, measureBareSqlite } from './bare.ts';
import { publishGrowth, readGrowth } from './publish.ts';
import { measureService, type Place, writePlants } from './service.ts';
import type { EngineName, Growth } from './sizes.ts';

using folder = temporaryFolder();
const binary = folder.file('plant-store');
const made = Bun.spawnSync([process.execPath, 'run', '--cwd', here('..'), 'build', '--outfile', binary]);
if (!made.success) throw new Error(`The binary cannot be built: ${made.stderr}`);

const measureOn = async (engine: EngineName, plants: number): Promise<Growth> => {
  console.error(`${engine}, ${plants.toLocaleString('en')} plants`);
  using files = temporaryFolder();
  const file = files.file('plants.csv');
  await writePlants(file, plants);
  const place: Place = {
    plants,
    file,
    program: [binary],
    database: '',
    backup: undefined,
    server: undefined,
    settle: async () => {},
  };
  if (engine === 'SQLite') {
    const database = files.file('plants.sqlite');
    const service = await measureService({ ...place, database, backup: files.file('backup.sqlite') });
    return { engine, plants, service, bare: await measureBareSqlite(plants, database) };
  }
  await using server = await startServer();
  await using database = await server.createDatabase();
  const service = await measureService({ ...place, database: database.url, server, settle: database.settle });
  const [{ size }] = await database.sql`SELECT pg_database_size(current_database())::float8 AS size`;
  await database.settle();
  const bare = await measureBarePostgres(plants, database.url, server);
  return { engine, plants, service: { ...service, size: size / plants }, bare };
};

const growths = new Map((await readGrowth()).growths.map((growth) => [`${growth.engine} ${growth.plants}`, growth]));
for (let plants = least; plants <= rows; plants *= 10)
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    growths.set(`${engine} ${plants}`, await measureOn(engine, plants));
    const results = { date: new Date().toISOString().slice(0, 10), growths: [...growths.values()] };
    await Bun.write(join(import.meta.dir, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  }
await publishGrowth();

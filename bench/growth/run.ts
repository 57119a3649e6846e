/**
 * Measures how the cost of the service grows with its plants and events, on both engines, beside the database alone: CPU time, since other work
 * of the machine hardly changes it. The plants and their events come from an import.
 *
 *     bun run bench growth [--least 10000] [--rows 1000000]     each size is ten times the last one; others keep their results
 *     bun run bench growth --pictures --least 1000 --rows 100000     the same store without pictures, and with one of each plant
 */
import { join } from 'node:path';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { least, rows, withPictures } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { here } from '../support/servers.ts';
import { measureBarePostgres, measureBareSqlite } from './bare.ts';
import { type Fill, fillWithPictures } from './pictures.ts';
import { publishGrowth, readGrowth } from './publish.ts';
import { measureService, type Place, writePlants } from './service.ts';
import type { EngineName, Growth } from './sizes.ts';

using folder = temporaryFolder();
const binary = folder.file('plant-store');
const made = Bun.spawnSync([process.execPath, 'run', '--cwd', here('..'), 'build', '--outfile', binary]);
if (!made.success) throw new Error(`The binary cannot be built: ${made.stderr}`);

const place = { program: [binary], backup: undefined, server: undefined, settle: async () => {} };

const measureOn = async (engine: EngineName, plants: number, fill?: Fill): Promise<Growth> => {
  console.error(`${engine}, ${plants.toLocaleString('en')} plants${fill ? ' with pictures' : ''}`);
  using files = temporaryFolder();
  const file = files.file('plants.csv');
  await writePlants(file, plants);
  const measure = ({ database, ...more }: Partial<Place> & Pick<Place, 'database'>) =>
    measureService({ ...place, plants, file, database, ...(fill && { fill: () => fill(engine, database) }), ...more });
  if (engine === 'SQLite') {
    const database = files.file('plants.sqlite');
    const service = await measure({ database, backup: files.file('backup.sqlite') });
    return { engine, plants, service, bare: withPictures ? {} : await measureBareSqlite(plants, database) };
  }
  await using server = await startServer();
  await using database = await server.createDatabase();
  const service = await measure({ database: database.url, server, settle: database.settle });
  const [{ size }] = await database.sql`SELECT pg_database_size(current_database())::float8 AS size`;
  await database.settle();
  const bare = withPictures ? {} : await measureBarePostgres(plants, database.url, server);
  return { engine, plants, service: { ...service, size: size / plants }, bare };
};

const keyOf = ({ engine, plants }: Pick<Growth, 'engine' | 'plants'>): string => `${engine} ${plants}`;
const earlier = await readGrowth();
const growths = new Map(earlier.growths.map((growth) => [keyOf(growth), growth]));
const pictures = new Map(earlier.pictures.map((growth) => [keyOf(growth), growth]));
for (let plants = least; plants <= rows; plants *= 10)
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const growth = await measureOn(engine, plants);
    const key = keyOf(growth);
    if (withPictures) {
      const { service } = await measureOn(engine, plants, fillWithPictures);
      pictures.set(key, { engine, plants, with: service, without: growth.service });
    } else growths.set(key, growth);
    const results = {
      date: new Date().toISOString().slice(0, 10),
      growths: [...growths.values()],
      pictures: [...pictures.values()],
    };
    await Bun.write(join(import.meta.dir, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
  }
await publishGrowth();

/**
 * Measures the resident memory of the binary at rest and under load, on both engines, for the table in docs/operations.md. Each load has a
 * process of its own on a new store. At rest is after 5 seconds; any other figure is the greatest during the load.
 *
 *     bun run bench memory [--seconds 20]
 */
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { openStreams } from '../streams/readers.ts';
import { check, measure, printTable, rssMib } from '../support/measure.ts';
import { seconds } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { bareServer, bun, here, type PlantStoreOptions, plantStore, type Running, run } from '../support/servers.ts';

using folder = temporaryFolder();
const binary = folder.file('plant-store');
const made = Bun.spawnSync([process.execPath, 'run', '--cwd', here('..'), 'build', '--outfile', binary]);
if (!made.success) throw new Error(`The binary cannot be built: ${made.stderr}`);
await using server = await startServer();
await using receiver = await run(bareServer('receiver', bun('webhooks/receiver.ts')));

const clients = 64;
const streams = 1000;
const idleMs = 5000;

const creates = (running: Running): Promise<unknown> =>
  measure(running, { load: 'create', connections: clients }, seconds);
const lists = (running: Running): Promise<unknown> => measure(running, { load: 'list', connections: clients }, seconds);

interface Load {
  readonly options?: PlantStoreOptions;
  readonly apply: (running: Running) => Promise<unknown>;
}

const loads: Readonly<Record<string, Load>> = {
  'at rest, a new store': { apply: () => setTimeout(idleMs) },
  [`${clients} clients that create`]: { apply: creates },
  [`${clients} clients that list 100 plants`]: { apply: lists },
  [`${streams} streams at rest`]: {
    apply: async (running) => {
      using readers = await openStreams(running.url, running.token, streams);
      await setTimeout(idleMs);
      if (readers.counts().length !== streams) throw new Error('A stream is missing.');
    },
  },
  [`${streams} streams, and 8 clients that create`]: {
    apply: async (running) => {
      using _readers = await openStreams(running.url, running.token, streams);
      await measure(running, { load: 'create', connections: 8 }, seconds);
    },
  },
  [`a webhook, and ${clients} clients that create`]: {
    options: { webhooks: [`${receiver.url}/1`] },
    apply: creates,
  },
};

/** The greatest of a sample in each tenth of a second. */
const measureLoad = async ({ options, apply }: Load, database?: string) => {
  await using running = await run(plantStore({ ...options, program: [binary], ...(database && { database }) }));
  if (apply === creates || apply === lists) await check(running);
  let [isOver, mostMib] = [false, 0];
  const sampling = (async () => {
    while (!isOver) {
      mostMib = Math.max(mostMib, await rssMib(running.pid));
      await setTimeout(100);
    }
  })();
  await apply(running);
  isOver = true;
  await sampling;
  return mostMib;
};

const rows: string[][] = [];
for (const [name, load] of Object.entries(loads)) {
  console.error(name);
  const onSqlite = await measureLoad(load);
  await using database = await server.createDatabase();
  const onPostgres = await measureLoad(load, database.url);
  rows.push([name, ...[onSqlite, onPostgres].map((mib) => `${Math.round(mib)}`)]);
}
console.log(`The greatest resident memory in MiB; each load takes ${seconds} s.\n`);
printTable(['load', 'SQLite', 'PostgreSQL'], rows);

/**
 * Loads the service and its peers on one PostgreSQL server with its default settings, each on a separate database, with the
 * same driver and the same requests, in several rounds of one run. Needs wrk and psql. The server is that of the tests;
 * TEST_POSTGRES_BIN is the folder with the programs of another one. Its data is in a temporary folder: TMPDIR must be on a disk.
 *
 *     bun run bench postgres [--seconds 4] [--rounds 3]
 */
import { cpus, totalmem } from 'node:os';
import { printTable } from '../support/measure.ts';
import { rounds, seconds, syncDelayMicroseconds } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { compareImportOn, comparePagesOn } from './import.ts';
import { comparePeersOn } from './peers.ts';

if (syncDelayMicroseconds > 0) throw new Error('--sync-delay is only for SQLite.');

await using server = await startServer();
const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Bun ${Bun.version}, PostgreSQL ${server.version}; load and database are on the same machine.`,
);
console.log(`Medians of ${rounds} rounds of ${seconds} s.\n`);

const peers = await comparePeersOn(server);
const own = [...(await comparePagesOn(server)), await compareImportOn(server)];

printTable(['the service', 'times the first peer', 'times the fastest peer'], peers);
printTable(
  ['', 'ratio'],
  own.map(([what, value]) => [what, value.toFixed(2)]),
);

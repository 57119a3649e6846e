/**
 * Loads 1, 2 and 4 processes of the service on one database of a PostgreSQL server with its default settings, in several rounds of one
 * run, and prints the figures of docs/scaling.md. Needs wrk. The server is that of the tests; TEST_POSTGRES_BIN is the folder with
 * the programs of another one. Its data is in a temporary folder: TMPDIR must be on a disk.
 *
 *     bun run bench scaling [--seconds 4] [--rounds 3]
 */
import { cpus, totalmem } from 'node:os';
import { printTable } from '../support/measure.ts';
import { rounds, seconds, syncDelayMicroseconds } from '../support/options.ts';
import { type Database, startServer } from '../support/postgres-server.ts';
import { startProcesses } from '../support/processes.ts';
import { createCommitTimer } from './commit-time.ts';
import { type LogFigures, measureLog, printLog } from './log.ts';
import { measureWorks, printWorks, type WorkFigures } from './works.ts';

if (syncDelayMicroseconds > 0) throw new Error('--sync-delay is only for SQLite: the delays of this run are fixed.');

/** Prints the disk space of a row, with its index entries. */
const printSizes = async ({ sql }: Database): Promise<void> => {
  const [row] = await sql`
    SELECT
      (pg_total_relation_size('plants') / (SELECT count(*) FROM plants))::int AS plant,
      (pg_total_relation_size('events') / (SELECT count(*) FROM events))::int AS event`;
  printTable(
    ['on disk, with indices', 'bytes'],
    [
      ['a plant', `${row.plant}`],
      ['an event', `${row.event}`],
    ],
  );
};

await using server = await startServer();
const [cpu] = cpus();
console.log(
  `${cpus().length} × ${cpu?.model}, ${Math.round(totalmem() / 2 ** 30)} GiB, Bun ${Bun.version}, PostgreSQL ${server.version}; load and database are on the same machine.`,
);
console.log(`Medians of ${rounds} rounds of ${seconds} s.\n`);

await using timer = await createCommitTimer(server);
const works: WorkFigures[] = [];
const log: LogFigures[] = [];
for (let round = 1; round <= rounds; round += 1) {
  for (const count of [1, 2, 4]) {
    console.error(`round ${round} of ${rounds}`);
    await using database = await server.createDatabase();
    await using resources = new AsyncDisposableStack();
    const processes = await startProcesses(database, count, resources);
    works.push(...(await measureWorks(server, database, processes)));
    log.push(...(await measureLog(server, database, processes, timer)));
    if (round === rounds && count === 1) await printSizes(database);
  }
}
printWorks(works);
printLog(log);

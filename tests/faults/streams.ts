/**
 * A thousand readers of the live log, on each engine, while plants are created at 1,000 a second. Every stream must have every
 * event, in order, and a stop during more writes must end each stream with a whole frame and its last chunk. The table has
 * the CPU time, the memory and the delays.
 *
 *     bun tests/faults/streams.ts [--rounds 10]        a round is a second of load
 */
import { temporaryFolder } from '../support/folder.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { startServer } from '../support/programs/process.ts';
import { readLog } from '../support/streams/log-reader.ts';
import { openRawStream } from '../support/streams/raw-stream.ts';
import { type CrowdReport, startCrowd } from './streaming/crowd.ts';
import { writePaced } from './streaming/paced-writes.ts';
import { createDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { cpuSeconds, memoryMebibytes } from './support/usage.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, seconds = rounds.max } = readOptions(10);
/** As many as a process may have. A few are read by a process that is not busy, which records when events arrive. */
const [streams, noted] = [1000, 20];
const perSecond = 1000;
/** A stop waits up to 10 seconds for requests, and must not wait for streams. */
const stopMsMax = 5000;

const { expect, expectWithin, end } = createVerdict();
using folder = temporaryFolder();
await using postgres = await startPostgres();

const play = async (engine: string, database: string) => {
  const headers = await createDatabase(database);
  await using server = await startServer(database);
  const { port, pid } = server;
  const source = { url: server.url, headers };
  const create = (firstId: number, writes: number) => writePaced({ ...source, firstId, writes, perSecond });
  await create(1, 1);
  const [after] = await readLog(source);
  if (!after) throw new Error('The first plant has no event.');
  await using crowd = await startCrowd({ port, headers, after, streams: streams - noted });
  const open = () => openRawStream({ port, headers });
  const last = await Promise.all(Array.from({ length: noted }, open));
  const refused = await open();
  expect(refused.status === 503, `stream ${streams + 1} got status ${refused.status}`);
  expect(refused.headers.has('retry-after'), `stream ${streams + 1} was refused without Retry-After`);
  for (const stream of [...last, refused]) stream.close();
  await using notes = await startCrowd({ port, headers, after, streams: noted, notesArrivals: true });

  const [memoryBefore, cpuBefore] = [memoryMebibytes(pid), cpuSeconds(pid)];
  let memoryMost = 0;
  const sampling = setInterval(() => {
    memoryMost = Math.max(memoryMost, memoryMebibytes(pid));
  }, 50);
  const writes = seconds * perSecond;
  const { acknowledgedAtMs, failed, durationMs } = await create(2, writes);
  expect(failed === 0, `${failed} creates did not get 200`);
  const reports = await Promise.all([crowd, notes].map(({ report }) => report(after.sequence + writes)));
  clearInterval(sampling);
  const cpu = cpuSeconds(pid) - cpuBefore;
  const sum = (number: (report: CrowdReport) => number): number => reports.reduce((all, one) => all + number(one), 0);
  const [complete, events] = [sum((report) => report.complete), sum((report) => report.events)];
  expect(complete === streams, `${streams - complete} streams do not have all events`);
  expect(events === streams * writes, `${events} events arrived, of ${streams * writes}`);
  for (const { faults } of reports) for (const fault of faults) expect(false, `a stream: ${fault}`);

  const plantOf = new Map((await readLog(source)).map(({ sequence, id }) => [sequence, id]));
  const delaysMs = reports
    .flatMap(({ arrivals }) => arrivals)
    .map(([sequence, atMs]) => atMs - (acknowledgedAtMs.get(plantOf.get(sequence) ?? 0) ?? Number.NaN))
    .sort((a, b) => a - b);
  const delayAt = (share: number): number => Math.round(delaysMs[Math.floor(share * (delaysMs.length - 1))] ?? 0);

  // The last of these find no server.
  const writing = create(2 + writes, perSecond);
  await Bun.sleep(200);
  const stoppedAtMs = performance.now();
  server.kill('SIGTERM');
  const exitCode = await server.exited;
  const stopMs = performance.now() - stoppedAtMs;
  await writing;
  expect(exitCode === 0, `the server ended with ${exitCode}`);
  expectWithin(stopMsMax, `${engine}: a stop`, { fromMs: stoppedAtMs, toMs: stoppedAtMs + stopMs });
  const ends = await Promise.all([crowd, notes].map((one) => one.ends()));
  const cut = ends.reduce((all, { other }) => all + other, 0);
  expect(cut === 0, `${cut} streams ended without a last chunk, or within a frame`);
  return {
    engine,
    streams,
    'writes a second': Math.round((writes / durationMs) * 1000),
    'events that came': events,
    reconnects: sum((report) => report.reconnects),
    'load, s': toTenth(durationMs / 1000),
    'processor of the server, s': toTenth(cpu),
    'of the readers, s': toTenth(sum((report) => report.processorSeconds)),
    'MiB before': Math.round(memoryBefore),
    'MiB at most': Math.round(memoryMost),
    'arrival after the acknowledgement, median, ms': delayAt(0.5),
    'p99, ms': delayAt(0.99),
    'stop, ms': Math.round(stopMs),
  };
};

const toTenth = (number: number): number => Math.round(number * 10) / 10;

const rows = [await play('SQLite', folder.file('plants.sqlite')), await play('PostgreSQL', postgres.url)];
// One table for each, since a row is wide.
for (const row of rows) console.table(row);
end({ seconds });

/**
 * Readers follow the live log (`GET /events` as `text/event-stream`) and resume with `Last-Event-ID`, while 16 clients write and
 * servers are killed or stopped and started again. Some read through a proxy that cuts each connection after some bytes, others
 * through HAProxy and nginx as in `deploy/`; one more begins in each round. It is tried on SQLite, and on PostgreSQL with three
 * processes, where each new stream goes to another process. In the end every reader must have the same log as the pages of
 * `GET /events`, from the beginning or from the start of the reader: no gap, no event twice, the same order. The controls, readers
 * that resume wrongly, must have another log.
 *
 * Meanwhile other readers are idle behind HAProxy and nginx, for longer than the timeouts of both.
 *
 *     bun tests/faults/live.ts [--rounds 30] [--seed 1] [--scene SQLite]        a round kills or stops one server
 */

import { temporaryFolder } from '../support/folder.ts';
import { type StartBalancer, startHaproxy, startNginx } from '../support/network/balancer.ts';
import { freePort } from '../support/network/port.ts';
import { sendInTurn, startLoad, untilAcknowledged } from '../support/plant-load.ts';
import { startCuttingProxy } from '../support/postgres/cutting-proxy.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';
import { followLive, type LiveReader, type LiveSource, type StreamEnd } from '../support/streams/live-reader.ts';
import { type LoggedEvent, readLog } from '../support/streams/log-reader.ts';
import { watchIdleStreams } from './streaming/idle-streams.ts';
import { comesTrue } from './support/comes-true.ts';
import { createDatabase } from './support/database.ts';
import { readOptions } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random, choose } = readOptions(30);
const readersOfKind = 6;
const changesBetweenRounds = 100;
/** How many response bytes the proxy forwards to a reader: some end within a frame. */
const bytesMax = 10_000;
/** A stop waits up to 10 seconds for requests, and must not wait for streams. */
const stopMsMax = 3000;

const { expect, expectWithin, end } = createVerdict();
using folder = temporaryFolder();

interface Scene {
  readonly name: string;
  readonly createUrl: () => Promise<string>;
  readonly processes: number;
  readonly balancers: Readonly<Record<string, StartBalancer>>;
}

/** The balancers that are installed. */
const balancers = Object.fromEntries(
  Object.entries({ haproxy: startHaproxy, nginx: startNginx }).filter(([name]) => Bun.which(name) !== null),
);

await using servers = new AsyncDisposableStack();
const scenes = choose<Scene>([
  { name: 'SQLite', createUrl: async () => folder.file('plants.sqlite'), processes: 1, balancers: {} },
  { name: 'PostgreSQL', createUrl: async () => servers.use(await startPostgres()).url, processes: 3, balancers },
]);

const ends: readonly StreamEnd[] = ['complete', 'between frames', 'within a frame', 'refused'];

const play = async ({ name, createUrl, processes, balancers }: Scene) => {
  const database = await createUrl();
  const headers = await createDatabase(database);
  const ports = await Promise.all(Array.from({ length: processes }, freePort));
  await using open = new AsyncDisposableStack();
  const start = async (port: number): Promise<RunningServer> =>
    open.use(await startServer(database, { args: ['--port', `${port}`] }));
  const servers = new Map(await Promise.all(ports.map(async (port) => [port, await start(port)] as const)));
  const urls = ports.map((port) => `http://127.0.0.1:${port}`);
  const [url = ''] = urls;
  await fetch(`${url}/plants`, { method: 'POST', headers, body: '{"id":1,"name":"first"}' });
  const [{ eventId: after } = { eventId: '' }] = await readLog({ url, headers });

  const anyPort = (): number => ports[Math.floor(ports.length * random())] ?? 0;
  const source: LiveSource = { port: anyPort, headers, after };
  const proxy = open.use(await startCuttingProxy({ to: anyPort, bytesMax: () => Math.ceil(bytesMax * random()) }));
  const cutting = { ...source, port: () => proxy.port };
  const kinds = new Map<string, LiveReader[]>();
  const follow = (kind: string, readers: number, options: Partial<LiveSource> = {}): void => {
    const more = Array.from({ length: readers }, () => followLive({ ...source, ...options }));
    kinds.set(kind, [...(kinds.get(kind) ?? []), ...more]);
  };
  follow('direct', readersOfKind);
  follow('cut', readersOfKind, cutting);
  for (const [kind, startBalancer] of Object.entries(balancers)) {
    const balancer = open.use(await startBalancer(ports));
    follow(kind, readersOfKind, { port: () => balancer.port });
  }
  const controls = new Map<string, LiveReader>([
    ['resumes from the event before the last', followLive({ ...cutting, resumeFrom: (read) => read.at(-2)?.eventId })],
    ['resumes without Last-Event-ID', followLive({ ...cutting, resumeFrom: () => undefined })],
    ['resumes from now', followLive({ ...cutting, after: undefined, resumeFrom: () => undefined })],
  ]);

  await using load = startLoad(sendInTurn(urls, headers), { plants: 200, random, pauseMs: 5 });
  let slowestStopMs = 0;
  for (const round of rounds.each(2)) {
    await untilAcknowledged(load, changesBetweenRounds);
    const port = anyPort();
    const server = servers.get(port);
    const isKilled = round % 2 === 0;
    const stoppedAtMs = performance.now();
    server?.kill(isKilled ? 'SIGKILL' : 'SIGTERM');
    const exitCode = await server?.exited;
    if (!isKilled) {
      expect(exitCode === 0, `${name}: a stopped process ended with ${exitCode}`);
      slowestStopMs = Math.max(slowestStopMs, performance.now() - stoppedAtMs);
      expectWithin(stopMsMax, `${name}: a stop`, { fromMs: stoppedAtMs });
    }
    servers.set(port, await start(port));
    follow('later', 1);
    follow('from now', 1, { after: undefined });
    if (round % 5 === 0) console.error(`${name}: round ${round}, ${load.acknowledged()} changes`);
  }
  await load.stop();
  const log = (await readLog({ url, headers })).slice(1);

  const rows: Record<string, number | string>[] = [];
  for (const [kind, readers] of kinds) {
    const isComplete = (): boolean =>
      readers.every(({ events, firstId }) => (events.at(-1)?.eventId ?? firstId()) === log.at(-1)?.eventId);
    const read = (): number => readers.reduce((sum, { events }) => sum + events.length, 0);
    await comesTrue(isComplete, read);
    for (const { firstId, events, faults } of readers) {
      const expected = log.slice(1 + log.findIndex(({ eventId }) => eventId === firstId()));
      for (const fault of faults) expect(false, `${name}, ${kind}: ${fault}`);
      expect(Bun.deepEquals(events, expected), `${name}, ${kind}: ${difference(expected, events)}`);
    }
    const counts = ends.map((end) => [end, readers.reduce((sum, { count }) => sum + count(end), 0)]);
    rows.push({
      scene: name,
      readers: kind,
      number: readers.length,
      events: log.length,
      ...Object.fromEntries(counts),
    });
  }
  for (const [kind, { events }] of controls)
    expect(!Bun.deepEquals(events, log), `${name}: the control that ${kind} has the log`);
  const count = (end: StreamEnd): number =>
    [...kinds.values()].flat().reduce((sum, reader) => sum + reader.count(end), 0);
  expect(count('complete') > 0, `${name}: no stop has completed a stream`);
  expect(count('within a frame') > 0, `${name}: no connection was cut within a frame`);
  for (const reader of [...[...kinds.values()].flat(), ...controls.values()]) reader.stop();
  console.log(`${name}: the slowest stop took ${Math.round(slowestStopMs)} ms`);
  return rows;
};

/** The first difference between a reader and the log, in a sentence. */
const difference = (log: readonly LoggedEvent[], read: readonly LoggedEvent[]): string => {
  const place = log.findIndex(({ eventId }, index) => read[index]?.eventId !== eventId);
  return `a reader has ${read.length} of ${log.length} events; at ${place} it has ${read[place]?.eventId}, not ${log[place]?.eventId}`;
};

const hasBalancers = scenes.some(({ name }) => name === 'PostgreSQL');
const idle =
  hasBalancers && watchIdleStreams({ balancers, database: folder.file('idle.sqlite'), expect, expectWithin });
const rows = await Promise.all(scenes.map(play));
console.table(rows.flat());
if (idle) console.table(await (await idle).end());
end({ rounds: rounds.count() });

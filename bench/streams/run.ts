/**
 * Measures live streams while plants are created at a steady rate: the CPU time of an event in the server, and the time from the response
 * of a create to the event. Beside it are a hub and floors, which store nothing on disk. A turn in which a stream misses an event does not
 * count: the run fails, or a hub that ends slow streams has no result for that number of streams. Writes the results to results.json, their
 * table to bench/README.md and their picture to docs/.
 *
 *     bun run bench streams [--seconds 5] [--rounds 3]
 */
import { setTimeout } from 'node:timers/promises';
import { publish } from '../pictures/plot.ts';
import { type Series, toSeries, writeJson } from '../requests/results.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { rssMib } from '../support/measure.ts';
import { rounds, seconds } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { type Running, run } from '../support/servers.ts';
import { type Hub, hubs } from './hubs.ts';
import { openStreams } from './readers.ts';
import {
  type HubResults,
  readStreamResults,
  type StreamFigure,
  type StreamResults,
  streamResultsPath,
  toStreamTable,
} from './results.ts';

/** Creates in a second. */
const rate = 200;

type Turn = Readonly<Record<StreamFigure, number>>;

interface Entrant {
  readonly hub: Hub;
  readonly running: Running;
  /** The process that gets the creates. */
  readonly creator: Running;
  readonly turns: Turn[];
}

let nextId = 1;

/** Resolves to `undefined` if a stream misses events of a hub that can miss them. */
const takeTurn = async ({ hub, running, creator }: Entrant, streams: number): Promise<Turn | undefined> => {
  const { streamPath, toRequest } = hub;
  using readers = await openStreams(running.url + streamPath, running.token, streams);
  await setTimeout(500);
  const answeredAtMs = new Map<number, number>();
  const create = async (): Promise<void> => {
    const id = nextId;
    nextId += 1;
    const { path, headers, body } = toRequest({ id, name: 'Monstera', tag: 'tropical' }, running.token);
    const response = await fetch(creator.url + path, { method: 'POST', headers, body });
    if (!response.ok) throw new Error(`status ${response.status}`);
    await response.text();
    answeredAtMs.set(id, performance.now());
  };
  const before = await cpuSeconds(running.pid);
  const creates: Promise<void>[] = [];
  const startedAtMs = performance.now();
  for (let n = 0; n < rate * seconds; n += 1) {
    await setTimeout(Math.max(0, startedAtMs + (n * 1000) / rate - performance.now()));
    creates.push(create());
  }
  await Promise.all(creates);
  const endsAtMs = performance.now() + 10_000;
  const isComplete = (): boolean => readers.counts().every((count) => count === creates.length);
  while (!isComplete() && performance.now() < endsAtMs) await setTimeout(20);
  if (!isComplete()) {
    const missing = `${hub.server.name}: a stream has ${Math.min(...readers.counts())} of ${creates.length} events.`;
    if (!hub.canMiss) throw new Error(missing);
    console.error(missing);
    return undefined;
  }
  const cpuTime = (await cpuSeconds(running.pid)) - before;
  const delays = [...answeredAtMs]
    .map(([id, atMs]) => Math.max(0, (readers.arrivedAtMs.get(id) ?? Number.NaN) - atMs))
    .sort((one, other) => one - other);
  return {
    cpuUs: (1_000_000 * cpuTime) / (creates.length * streams),
    cores: cpuTime / seconds,
    p50Ms: delays[Math.floor(delays.length / 2)] ?? Number.NaN,
    p99Ms: delays[Math.floor(delays.length * 0.99)] ?? Number.NaN,
    rssMib: await rssMib(running.pid),
  };
};

const compare = async (streams: number): Promise<StreamResults['works'][number]> => {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await startServer());
  const database = resources.use(await server.createDatabase()).url;
  const measured: Entrant[] = [];
  for (const hub of await hubs(database)) {
    const running = resources.use(await run(hub.server));
    const creator = hub.creator ? resources.use(await run(hub.creator)) : running;
    measured.push({ hub, running, creator, turns: [] });
  }
  for (let round = 1; round <= rounds; round += 1) {
    for (const entrant of measured) {
      console.error(`round ${round} of ${rounds}: ${entrant.hub.server.name}, ${streams} streams`);
      const turn = await takeTurn(entrant, streams);
      if (turn) entrant.turns.push(turn);
    }
  }
  return {
    streams,
    // Of a hub that misses events in one turn, the others do not count either.
    hubs: measured
      .filter(({ turns }) => turns.length === rounds)
      .map(({ hub, turns }) => ({ name: hub.server.name, figures: summarize(turns) })),
  };
};

const summarize = (turns: readonly Turn[]): HubResults['figures'] => {
  const of = (figure: StreamFigure): Series => toSeries(turns.map((turn) => turn[figure]));
  return { cpuUs: of('cpuUs'), cores: of('cores'), p50Ms: of('p50Ms'), p99Ms: of('p99Ms'), rssMib: of('rssMib') };
};

const startedAt = new Date().toISOString();
const works: StreamResults['works'][number][] = [];
for (const streams of [1, 100, 1000]) {
  works.push(await compare(streams));
  // After each, since a run takes long.
  await writeJson(streamResultsPath, { startedAt, options: { seconds, rounds, rate }, works });
}
console.log(toStreamTable(await readStreamResults()));
await publish();

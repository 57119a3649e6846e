/**
 * Measures live streams while plants are created at a steady rate: the CPU time of an event in the server, and the time from the response
 * of a create to the event. Beside it are floors that store nothing. A turn in which a stream misses an event does not count: the run fails.
 *
 *     bun run bench streams [--seconds 5] [--rounds 3]
 */
import { setTimeout } from 'node:timers/promises';
import { devDependencies as runtimePackages } from '../../package.json';
import { devDependencies } from '../package.json';
import { go } from '../requests/builder.ts';
import { show } from '../requests/tables.ts';
import { cpuSeconds } from '../support/cpu.ts';
import { median, printTable, rssMib } from '../support/measure.ts';
import { rounds, seconds } from '../support/options.ts';
import { startServer } from '../support/postgres-server.ts';
import { bareServer, bun, deno, type HttpServer, node, plantStore, type Running, run } from '../support/servers.ts';
import { openStreams } from './readers.ts';

/** Creates in a second. */
const rate = 200;

interface Turn {
  /** The CPU time of the server in a turn, with the creates, divided by the events of all streams. */
  readonly cpuUs: number;
  readonly cores: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly rssMib: number;
}

let nextId = 1;

const takeTurn = async (running: Running, streams: number): Promise<Turn> => {
  using readers = await openStreams(running.url, running.token, streams);
  await setTimeout(500);
  const answeredAtMs = new Map<number, number>();
  const create = async (): Promise<void> => {
    const id = nextId;
    nextId += 1;
    const headers = { authorization: `Bearer ${running.token}`, 'content-type': 'application/json' };
    const body = JSON.stringify({ id, name: 'Monstera', tag: 'tropical' });
    const response = await fetch(`${running.url}/plants`, { method: 'POST', headers, body });
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
  if (!isComplete()) throw new Error(`A stream has ${Math.min(...readers.counts())} of ${creates.length} events.`);
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

const goFloor = go('streams/floor-go');
if (goFloor.isInstalled()) await goFloor.build();
const main = '../src/main.ts';

const compare = async (streams: number): Promise<void> => {
  await using resources = new AsyncDisposableStack();
  const server = resources.use(await startServer());
  const database = resources.use(await server.createDatabase()).url;
  const entrants: readonly HttpServer[] = [
    { ...plantStore(), name: 'Plant Store' },
    { ...plantStore({ program: node(main) }), name: `… on Node.js ${devDependencies.node}` },
    { ...plantStore({ program: deno(main) }), name: `… on Deno ${runtimePackages['@deno/linux-x64-glibc']}` },
    { ...plantStore({ database }), name: '… on PostgreSQL' },
    bareServer('Bun, a block each 50 ms', bun('streams/floor.ts')),
    ...(goFloor.isInstalled()
      ? [bareServer(`Go ${goFloor.compilerVersion}, a flush for each event`, [goFloor.program])]
      : []),
  ];
  const measured: { readonly name: string; readonly running: Running; readonly turns: Turn[] }[] = [];
  for (const entrant of entrants)
    measured.push({ name: entrant.name, running: resources.use(await run(entrant)), turns: [] });
  for (let round = 1; round <= rounds; round += 1) {
    for (const { name, running, turns } of measured) {
      console.error(`round ${round} of ${rounds}: ${name}, ${streams} streams`);
      turns.push(await takeTurn(running, streams));
    }
  }
  printTable(
    [`${streams} streams`, 'CPU of an event', 'cores', 'p50', 'p99', 'RSS'],
    measured.map(({ name, turns }) => [
      name,
      `${median(turns, 'cpuUs').toFixed(2)} µs`,
      median(turns, 'cores').toFixed(2),
      `${median(turns, 'p50Ms').toFixed(1)} ms`,
      `${median(turns, 'p99Ms').toFixed(1)} ms`,
      `${show(median(turns, 'rssMib'))} MiB`,
    ]),
  );
};

console.log(`Medians of ${rounds} turns of ${seconds} s with ${rate} creates a second.\n`);
for (const streams of [1, 100, 1000]) await compare(streams);

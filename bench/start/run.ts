/**
 * Measures binaries from their start on an existing store to the first response: the time, and the CPU time of all threads. Then the resident
 * memory 5 seconds later, and the first requests of a process. Beside the service are floors that are compiled by the same Bun, and PocketBase.
 *
 *     bun run bench start [--rounds 20] [--with ../base]
 *
 * A busy machine shows in the time, hardly in the CPU time. As root, `--realtime` gives the started processes priority over all others.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { freePort } from '../../tests/support/network/port.ts';
import { go } from '../requests/builder.ts';
import { middle, printTable } from '../support/measure.ts';
import { isRealtime, otherCheckout, rounds } from '../support/options.ts';
import { here, runOn } from '../support/servers.ts';
import { generatePeerToken } from '../support/tokens.ts';

interface Entrant {
  readonly name: string;
  readonly command: (port: number) => readonly string[];
  readonly env?: (port: number) => Readonly<Record<string, string>>;
  /** The token of the first requests. Without one, they are not measured. */
  readonly token?: string;
}

interface Start {
  readonly ms: number;
  readonly cpuMs: number;
}

using folder = temporaryFolder();

const compile = (file: string, name: string): string => {
  const program = folder.file(name);
  const options = ['--compile', '--bytecode', '--splitting', '--format', 'esm', '--outfile', program];
  const environment = ['--no-compile-autoload-dotenv', '--no-compile-autoload-bunfig'];
  const define = ['--define', 'process.env.NODE_ENV="production"'];
  const made = Bun.spawnSync([process.execPath, 'build', here(file), ...options, ...environment, ...define]);
  if (!made.success) throw new Error(`${file} cannot be compiled: ${made.stderr}`);
  return program;
};

/** The binary of a checkout, with a store and a token of its own. */
const plantStoreOf = async (checkout: string, name: string): Promise<Entrant> => {
  const program = folder.file(`plant-store-${name.replaceAll(' ', '-')}`);
  const made = Bun.spawnSync([process.execPath, 'run', '--cwd', checkout, 'build', '--outfile', program]);
  if (!made.success) throw new Error(`The binary of ${checkout} cannot be built: ${made.stderr}`);
  const database = `${program}.sqlite`;
  const token = (await runOn([program], 'token', 'create', '--name', 'bench', '--database', database)).trim();
  return { name, token, command: (port) => [program, 'serve', '--port', `${port}`, '--database', database] };
};

const pocketBase = go('peers/pocketbase');
const entrants: Entrant[] = [
  await plantStoreOf(here('..'), 'Plant Store'),
  ...(otherCheckout === '' ? [] : [await plantStoreOf(resolve(otherCheckout), 'the other checkout')]),
];
const floors = { 'start/stack.ts': 'Elysia, Drizzle, SQLite and pino', 'start/floor.ts': 'Bun.serve alone' };
for (const [file, name] of Object.entries(floors)) {
  const program = compile(file, name);
  entrants.push({ name, command: () => [program] });
}
if (pocketBase.isInstalled()) {
  await pocketBase.build();
  entrants.push({
    name: 'PocketBase, a new store',
    command: () => [pocketBase.program],
    // It makes its collections at each start.
    env: (port) => ({
      DATABASE: folder.file(`${port}.db`),
      LOG: folder.file(`${port}.log`),
      TOKEN_DIGEST: generatePeerToken().digest,
    }),
  });
}

/** What a process answers first, and after this. A body makes it a create. */
const firstRequests: readonly (readonly [name: string, path: string, body?: (id: number) => object])[] = [
  ['get', '/plants/1'],
  ['list', '/plants'],
  ['create', '/plants', (id) => ({ id, name: 'Monstera', tag: 'tropical' })],
  ['list of a tag', '/plants?tag=tropical'],
  ['events', '/events'],
  ['webhooks', '/webhooks'],
  ['document', '/openapi.json'],
  ['page', '/swagger'],
];

const spawn = (entrant: Entrant, port: number) => {
  const command = [...(isRealtime ? ['chrt', '--fifo', '10'] : []), ...entrant.command(port)];
  const { PATH = '', HOME = '' } = process.env;
  return Bun.spawn(command, {
    env: { PATH, HOME, PORT: `${port}`, ...entrant.env?.(port) },
    stdin: 'ignore',
    stdout: 'ignore',
    stderr: 'ignore',
  });
};

/** Resolves to the process at its first response. */
const startOne = async (entrant: Entrant) => {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAtMs = performance.now();
  const child = spawn(entrant, port);
  while (!(await isHealthy(url))) {
    if (performance.now() > startedAtMs + startMsMax) throw new Error(`${entrant.name} does not start.`);
    await setTimeout(1);
  }
  const ms = performance.now() - startedAtMs;
  const end = async (): Promise<void> => {
    child.kill('SIGKILL');
    await child.exited;
  };
  return { url, pid: child.pid, start: { ms, cpuMs: cpuMsOf(child.pid) }, [Symbol.asyncDispose]: end };
};

const startMsMax = 20_000;

const isHealthy = async (url: string): Promise<boolean> => {
  try {
    // PocketBase has no such path.
    return (await fetch(`${url}/healthz`, { keepalive: false })).status < 500;
  } catch {
    return false;
  }
};

/** The time on a CPU of all threads, from the scheduler, in nanoseconds: proc(5) has it in ticks of 10 ms. */
const cpuMsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, task) => {
    const [onCpu] = readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ');
    return sum + Number(onCpu) / 1_000_000;
  }, 0);

const memoryOf = (pid: number): Record<'VmRSS' | 'RssAnon' | 'RssFile', number> => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const read = (name: string): number => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1]) / 1024;
  return { VmRSS: read('VmRSS'), RssAnon: read('RssAnon'), RssFile: read('RssFile') };
};

let nextId = 1;

/** The duration of the first request of each kind, in milliseconds, in a process that was idle for a while. */
const measureFirst = async ({ token = '' }: Entrant, url: string): Promise<Map<string, number>> => {
  await setTimeout(500);
  const durations = new Map<string, number>();
  for (const [name, path, body] of firstRequests) {
    nextId += 1;
    const startedAtMs = performance.now();
    const response = await fetch(url + path, {
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { method: 'POST', body: JSON.stringify(body(nextId)) }),
    });
    await response.text();
    durations.set(name, performance.now() - startedAtMs);
    if (response.status !== 200 && !(name === 'get' && response.status === 404))
      throw new Error(`${path} got the status ${response.status}.`);
  }
  return durations;
};

const starts = new Map<string, Start[]>(entrants.map(({ name }) => [name, []]));
const firsts = new Map<string, Map<string, number>[]>(entrants.map(({ name }) => [name, []]));
for (let round = 0; round <= rounds; round += 1) {
  console.error(`round ${round} of ${rounds}`);
  for (const entrant of entrants) {
    await using running = await startOne(entrant);
    // The first round reads the files into the page cache.
    if (round === 0) continue;
    starts.get(entrant.name)?.push(running.start);
    if (entrant.token !== undefined) firsts.get(entrant.name)?.push(await measureFirst(entrant, running.url));
  }
}

const idleMs = 5000;
const sorted = (values: readonly number[]): number[] => values.toSorted((one, other) => one - other);
const show = (values: readonly number[]): string =>
  `${middle(values).toFixed(1)} (${sorted(values).at(0)?.toFixed(1)}–${sorted(values).at(-1)?.toFixed(1)})`;

const rows: string[][] = [];
for (const entrant of entrants) {
  await using running = await startOne(entrant);
  await setTimeout(idleMs);
  const { VmRSS, RssAnon, RssFile } = memoryOf(running.pid);
  const turns = starts.get(entrant.name) ?? [];
  rows.push([
    entrant.name,
    show(turns.map(({ ms }) => ms)),
    show(turns.map(({ cpuMs }) => cpuMs)),
    ...[VmRSS, RssAnon, RssFile].map((mib) => mib.toFixed(1)),
  ]);
}
console.log(`Medians of ${rounds} starts, with the least and the greatest; memory after ${idleMs / 1000} s.\n`);
printTable(['', 'first response, ms', 'CPU until then, ms', 'RSS, MiB', 'anonymous', 'of files'], rows);

const measured = entrants.filter(({ token }) => token !== undefined);
printTable(
  ['first request, ms', ...measured.map(({ name }) => name)],
  firstRequests.map(([kind]) => [
    kind,
    ...measured.map(({ name }) => show((firsts.get(name) ?? []).map((one) => one.get(kind) ?? Number.NaN))),
  ]),
);

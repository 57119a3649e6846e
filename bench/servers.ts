/** The service and its peers, each set up as its own guide says, on a database of its own. */
import { join } from 'node:path';
import { devDependencies as ours } from '../package.json';
import { temporaryFolder } from '../tests/support/folder.ts';
import { freePort } from '../tests/support/port.ts';
import { readUntil } from '../tests/support/until.ts';
import { syncDelayMicroseconds } from './options.ts';
import { devDependencies } from './package.json';

export interface Contestant {
  readonly name: string;
  /** Whether an answered create is on the disk. */
  readonly isDurable: boolean;
  start(place: Place): Promise<Started>;
}

interface Place {
  readonly folder: string;
  readonly port: number;
}

interface Started {
  readonly process: Bun.Subprocess<'ignore', 'pipe', 'ignore'>;
  readonly token: string;
  /** How long the process took until it answered. */
  readonly startedMs: number;
}

/** A running server. */
export interface Running extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** How long it took until it answered. */
  readonly startedMs: number;
}

export const run = async ({ start }: Contestant): Promise<Running> => {
  const folder = temporaryFolder();
  const port = await freePort();
  const { process, token, startedMs } = await start({ folder: folder.path, port });
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    startedMs,
    pid: process.pid,
    [Symbol.asyncDispose]: async () => {
      process.kill('SIGKILL');
      await process.exited;
      folder[Symbol.dispose]();
    },
  };
};

const here = (path: string): string => join(import.meta.dir, path);

/** With `--sync-delay` every sync of every server takes longer, as on a slower disk. strace sees to that, and touches nothing else. */
const delayingSyncs: readonly string[] =
  syncDelayMicroseconds === 0
    ? []
    : [
        ...['strace', '--daemonize', '--follow-forks', '--seccomp-bpf', '--quiet=all', '--output', '/dev/null'],
        ...['--trace', 'fsync,fdatasync', '--inject', `fsync,fdatasync:delay_exit=${syncDelayMicroseconds}`, '--'],
      ];

export const spawn = (command: readonly string[], env: Readonly<Record<string, string>>) =>
  Bun.spawn([...delayingSyncs, ...command], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NODE_ENV: 'production', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  });

/** A server of `servers/`, which says when it listens. */
export const peer = (name: string, command: readonly string[], synchronous?: 'FULL' | 'NORMAL'): Contestant => ({
  name: synchronous === undefined ? name : `${name}, synchronous=${synchronous}`,
  isDurable: synchronous === 'FULL',
  start: async ({ folder, port }) => {
    const env = { PORT: `${port}`, DATABASE: join(folder, 'plants.sqlite'), SYNCHRONOUS: synchronous ?? '' };
    return { ...(await startListening(command, env)), token: '' };
  },
});

/** Starts a server that says when it listens. */
export const startListening = async (command: readonly string[], env: Readonly<Record<string, string>>) => {
  const startedAtMs = performance.now();
  const started = spawn(command, env);
  await readUntil(started.stdout.getReader(), 'listening');
  return { process: started, startedMs: performance.now() - startedAtMs };
};

export const bun = (file: string): string[] => [process.execPath, here(`servers/${file}`)];
export const node = (file: string): string[] => [here('node_modules/.bin/node'), here(`servers/${file}`)];

const fastify = `Fastify ${devDependencies.fastify} + better-sqlite3 ${devDependencies['better-sqlite3']}`;
const hono = `Hono ${devDependencies.hono} + bun:sqlite`;

export interface PlantStoreOptions {
  /** A database that is there already; otherwise a new one. */
  readonly database?: string;
  /** Addresses of webhooks to send all events to. */
  readonly webhooks?: readonly string[];
  /** How it is called; otherwise from source. */
  readonly program?: readonly string[];
}

/** With its log on, which goes to a file. */
export const plantStore = ({
  database: given,
  webhooks = [],
  program = plantStoreProgram,
}: PlantStoreOptions = {}): Contestant => ({
  name: 'Plant Store',
  isDurable: true,
  start: async ({ folder, port }) => {
    const database = given ?? join(folder, 'plants.sqlite');
    const token = (await runPlantStore('token', 'create', '--name', 'bench', '--database', database)).trim();
    for (const url of webhooks) await runPlantStore('webhook', 'add', url, '--database', database);
    const log = join(folder, 'log');
    const serve = `exec "$0" "$@" serve --port ${port} --database "${database}" 2>"${log}"`;
    const startedAtMs = performance.now();
    const started = spawn(['sh', '-c', serve, ...program], allowPrivate);
    while (!(await isReady(port))) await Bun.sleep(1);
    return { process: started, token, startedMs: performance.now() - startedAtMs };
  },
});

const allowPrivate = { WEBHOOK_ALLOW_PRIVATE: 'true' };
export const plantStoreProgram: readonly string[] = [process.execPath, here('../src/main.ts')];

/** Runs one of its commands to the end and resolves to what it prints. */
export const runPlantStore = async (...args: string[]): Promise<string> => {
  const child = spawn([...plantStoreProgram, ...args], allowPrivate);
  const [said, exitCode] = await Promise.all([child.stdout.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`${args[0]} has failed`);
  return said;
};

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
};

export const ceiling = peer('bare Bun.serve, keeps nothing', bun('echo.ts'));

export const fastifyUnsynced = peer(fastify, node('fastify.mjs'), 'NORMAL');

/** The service, as it is for who installs it. */
export const service = plantStore();

export const contestants: readonly Contestant[] = [
  ceiling,
  peer(`Elysia ${ours.elysia} with validation, keeps nothing`, bun('elysia.ts')),
  peer(fastify, node('fastify.mjs'), 'FULL'),
  fastifyUnsynced,
  peer(hono, bun('hono.ts'), 'FULL'),
  peer(hono, bun('hono.ts'), 'NORMAL'),
  peer(`json-server ${devDependencies['json-server']}`, node('json-server.cjs')),
  service,
];

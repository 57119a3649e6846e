/** Servers as processes, each in a separate folder: the service, and others that print a line when they listen. */
import { join } from 'node:path';
import { temporaryFolder } from '../tests/support/folder.ts';
import { freePort } from '../tests/support/port.ts';
import { readUntil } from '../tests/support/until.ts';
import { syncDelayMicroseconds } from './options.ts';

/** What can be started. */
export interface HttpServer {
  readonly name: string;
  start(place: Place): Promise<Started>;
}

/** Where a server keeps its files, and listens. */
export interface Place {
  readonly folder: string;
  readonly port: number;
}

export interface Started {
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
  /** The path of its SQLite database, unless it was given another database. */
  readonly database: string;
  /** The path of its log. */
  readonly log: string;
  /** How long it took until it answered. */
  readonly startedMs: number;
}

/** Starts the server in a new folder, which is removed with it. */
export const run = async ({ start }: HttpServer): Promise<Running> => {
  const folder = temporaryFolder();
  const port = await freePort();
  const { process, token, startedMs } = await start({ folder: folder.path, port });
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    pid: process.pid,
    database: databaseIn(folder.path),
    log: logIn(folder.path),
    startedMs,
    [Symbol.asyncDispose]: async () => {
      process.kill('SIGKILL');
      await process.exited;
      folder[Symbol.dispose]();
    },
  };
};

/** The paths of the database and the log of a server in this folder. */
export const databaseIn = (folder: string): string => join(folder, 'plants.sqlite');
export const logIn = (folder: string): string => join(folder, 'log');

export const here = (path: string): string => join(import.meta.dir, path);

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

/** A server that needs neither a database nor a token. */
export const bareServer = (name: string, command: readonly string[]): HttpServer => ({
  name,
  start: async ({ port }) => ({ ...(await startListening(command, { PORT: `${port}` })), token: '' }),
});

/** Starts a server that says when it listens. */
export const startListening = async (command: readonly string[], env: Readonly<Record<string, string>>) => {
  const startedAtMs = performance.now();
  const started = spawn(command, env);
  await readUntil(started.stdout.getReader(), 'listening');
  return { process: started, startedMs: performance.now() - startedAtMs };
};

export const bun = (file: string): string[] => [process.execPath, here(file)];
export const node = (file: string): string[] => [here('node_modules/.bin/node'), here(file)];

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
}: PlantStoreOptions = {}): HttpServer => ({
  name: 'Plant Store',
  start: async ({ folder, port }) => {
    const database = given ?? databaseIn(folder);
    const token = (await runPlantStore('token', 'create', '--name', 'bench', '--database', database)).trim();
    for (const url of webhooks) await runPlantStore('webhook', 'add', url, '--database', database);
    const serve = `exec "$0" "$@" serve --port ${port} --database "${database}" 2>>"${logIn(folder)}"`;
    const startedAtMs = performance.now();
    const started = spawn(['sh', '-c', serve, ...program], allowPrivate);
    while (!(await isReady(port))) await Bun.sleep(1);
    return { process: started, token, startedMs: performance.now() - startedAtMs };
  },
});

const allowPrivate = { WEBHOOK_ALLOW_PRIVATE: 'true' };
export const plantStoreProgram: readonly string[] = [process.execPath, here('../src/main.ts')];

/** Runs one of its commands and resolves to its output. */
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

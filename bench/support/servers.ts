/** Servers as processes, each in a separate folder: the service, and others that print a line when they listen. */
import { join } from 'node:path';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { freePort } from '../../tests/support/network/port.ts';
import { executableOf } from '../../tests/support/programs/runtimes.ts';
import { readUntil } from '../../tests/support/until.ts';
import { syncDelayMicroseconds } from './options.ts';

/** A server that can be started. */
export interface HttpServer {
  readonly name: string;
  start(place: Place): Promise<Started>;
}

/** The folder of a server for its files, and the port where it listens. */
export interface Place {
  readonly folder: string;
  readonly port: number;
}

export interface Started {
  readonly process: Bun.Subprocess<'ignore', 'pipe', 'ignore'>;
  readonly token: string;
  /** The time from the start of the process to its first response. */
  readonly startedMs: number;
}

/** A running server. */
export interface Running extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
  /** The path of its SQLite database, unless it uses another database. */
  readonly database: string;
  /** The path of its log. */
  readonly log: string;
  /** The time from its start to its first response. */
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

/** The path of a file in `bench/`. */
export const here = (path: string): string => join(import.meta.dir, '..', path);

/** With `--sync-delay`, strace makes every sync of every server take longer, as on a slower disk. It affects no other system calls. */
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

/** Starts a server that prints this word once it listens. */
export const startListening = async (
  command: readonly string[],
  env: Readonly<Record<string, string>>,
  word = 'listening',
) => {
  const startedAtMs = performance.now();
  const started = spawn(command, env);
  await readUntil(started.stdout.getReader(), word);
  return { process: started, startedMs: performance.now() - startedAtMs };
};

export const bun = (file: string): string[] => [process.execPath, here(file)];
export const node = (file: string): string[] => [here('node_modules/.bin/node'), here(file)];
export const deno = (file: string): string[] => [executableOf('deno'), 'run', '-A', here(file)];

export interface PlantStoreOptions {
  /** An existing database. Default: a new one. */
  readonly database?: string;
  /** URLs of webhooks that get all events. */
  readonly webhooks?: readonly string[];
  /** The command that starts the program. Default: from source. */
  readonly program?: readonly string[];
}

/** The service, with a log that goes to a file. */
export const plantStore = ({
  database: given,
  webhooks = [],
  program = plantStoreProgram,
}: PlantStoreOptions = {}): HttpServer => ({
  name: 'Plant Store',
  start: async ({ folder, port }) => {
    const database = given ?? databaseIn(folder);
    const token = (await runOn(program, 'token', 'create', '--name', 'bench', '--database', database)).trim();
    for (const url of webhooks) await runOn(program, 'webhook', 'add', url, '--database', database);
    const serve = `exec "$0" "$@" serve --port ${port} --database "${database}" 2>>"${logIn(folder)}"`;
    const startedAtMs = performance.now();
    const started = spawn(['sh', '-c', serve, ...program], allowPrivate);
    while (!(await isReady(port))) await Bun.sleep(1);
    return { process: started, token, startedMs: performance.now() - startedAtMs };
  },
});

const allowPrivate = { WEBHOOK_ALLOW_PRIVATE: 'true' };
export const plantStoreProgram: readonly string[] = [process.execPath, here('../src/main.ts')];

/** Runs a command of the service and resolves to its output. */
export const runPlantStore = (...args: string[]): Promise<string> => runOn(plantStoreProgram, ...args);

/** The same with this command, which starts the program. */
export const runOn = async (program: readonly string[], ...args: string[]): Promise<string> => {
  const child = spawn([...program, ...args], allowPrivate);
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

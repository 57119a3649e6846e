/**
 * A PostgreSQL server for the tests, on a fresh folder and a free port of 127.0.0.1. A keeper process ends it and removes
 * the folder as soon as the process that started it has ended, for any reason.
 */
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Subprocess } from 'bun';
import { type Host, thisHost } from '../network/host.ts';
import { freePort } from '../network/port.ts';
import { findBinaries } from './postgres-binaries.ts';
import { asServer, copyCluster, copyTemplate, createCluster, runAsServer } from './postgres-cluster.ts';

export interface PostgresServer extends AsyncDisposable {
  /** The URL of the database `postgres`, for a superuser. */
  readonly url: string;
  readonly port: number;
  readonly host: Host;
  /** The folder of its programs. */
  readonly bin: string;
  /** The folder with its data before its first start. */
  readonly template: string;
  /** The folder of its data and its log; it is removed with the server. */
  readonly folder: string;
  /** Its log so far. */
  log(): string;
  /** Shuts it down: it notifies its clients, and closes the connections. */
  stop(): Promise<void>;
  /** Kills all its processes immediately. */
  kill(): Promise<void>;
  /** Starts it again after `stop` or `kill`, on the same port and data. */
  start(settings?: Settings): Promise<void>;
  /** Stops all its processes with SIGSTOP: connections stay open, and nothing responds. */
  freeze(): void;
  /** Lets them continue. */
  thaw(): void;
  /** Discards its data and becomes a standby of another server, on the same port. Resolves once it accepts reads. */
  follow(primary: PostgresServer): Promise<void>;
  /** Promotes a standby. Resolves once it accepts writes. */
  promote(): Promise<void>;
}

/** Settings of `postgresql.conf`, by name. */
export type Settings = Readonly<Record<string, string>>;

/** Read at each start, since `startTestServer` sets them. */
const { env } = process;

/** Where each server has its folder. */
const parentFolder = (): string => env['TEST_POSTGRES_FOLDER'] ?? tmpdir();

/** Starts a server on `host`, with the programs of the folder `programs` when it is given. Use with `await using`. */
export const startPostgres = async (
  settings: Settings = {},
  programs?: string,
  host = thisHost,
): Promise<PostgresServer> => {
  const folder = mkdtempSync(join(parentFolder(), 'plant-store-postgres-'));
  const keeper = Bun.spawn(['sh', '-c', keep, 'sh', folder], { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' });
  keeper.unref();
  const end = async (): Promise<void> => {
    keeper.stdin.end();
    await keeper.exited;
  };
  const port = await freePort();
  const start = async () => {
    const bin = programs ?? findBinaries(folder);
    // That of other programs may be of another version.
    const given = programs === undefined ? env['TEST_POSTGRES_TEMPLATE'] : undefined;
    const template = given ?? join(folder, 'template');
    if (given === undefined) await createCluster(template, bin);
    copyTemplate(template, join(folder, 'data'));
    return { bin, template, process: await startProcess(folder, bin, port, settings, host) };
  };
  let { bin, template, process } = await start().catch(async (error) => {
    await end();
    throw error;
  });
  const kill = async (): Promise<void> => {
    if (isRunning(process)) for (const pid of freeze(process.pid)) signal(pid, 'SIGKILL');
    await process.exited;
    // The keeper must not end another process that is given the same id.
    rmSync(join(folder, pidFile), { force: true });
  };
  return {
    url: `postgres://plant@${host.address}:${port}/postgres`,
    port,
    host,
    bin,
    template,
    folder,
    log: () => logOf(folder),
    start: async (changed = settings) => {
      process = await startProcess(folder, bin, port, changed, host);
    },
    stop: async () => {
      process.kill('SIGINT');
      await process.exited;
    },
    kill,
    freeze: () => void freeze(process.pid),
    thaw: () => {
      for (const pid of processesOf(process.pid)) signal(pid, 'SIGCONT');
    },
    follow: async (primary) => {
      await kill();
      await copyCluster(primary.url, join(folder, 'data'), bin, host);
      process = await startProcess(folder, bin, port, settings, host);
    },
    promote: () => runAsServer([`${bin}/pg_ctl`, 'promote', '--wait', '--pgdata', join(folder, 'data')]),
    [Symbol.asyncDispose]: end,
  };
};

const pidFile = 'data/postmaster.pid';

/**
 * Waits for the end of its stdin, which the system closes with the process that has the other end. Interrupts of the terminal
 * reach it too and must not end it. Frozen processes are killed as well. The first process gets a signal that lets it remove its
 * shared memory, after the others are gone.
 */
const keep = `
  trap '' HUP INT TERM
  cat >/dev/null
  if server=$(head -n 1 "$1/${pidFile}"); then
    kill -STOP $server
    kill -KILL $(cat /proc/$server/task/$server/children || pgrep -P $server)
    kill -QUIT $server
    kill -CONT $server
    for try in $(seq 100); do kill -0 $server || break; sleep 0.05; done
    kill -KILL $server
  fi
  for try in 1 2 3 4 5; do rm -rf "$1" && break; sleep 0.1; done`;

const startProcess = async (folder: string, bin: string, port: number, settings: Settings, host: Host) => {
  const all = { port: String(port), listen_addresses: host.address, ...commonSettings, ...settings };
  const options = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const log = openSync(join(folder, 'log'), 'a');
  for (;;) {
    const logged = logOf(folder).length;
    const child = Bun.spawn({
      ...asServer([`${bin}/postgres`, '-D', join(folder, 'data'), ...options], host),
      cwd: '/',
      env: { LC_ALL: 'C' },
      stdio: ['ignore', 'ignore', log],
    });
    child.unref();
    if (await becomesReady(child, join(folder, pidFile))) {
      closeSync(log);
      return child;
    }
    const reason = logOf(folder).slice(logged);
    // Killed processes need a moment to release the shared memory, and a start fails until then.
    if (!reason.includes('is still in use')) throw new Error(reason);
    await Bun.sleep(5);
  }
};

const logOf = (folder: string): string => readFileSync(join(folder, 'log'), 'utf8');

/** The last line of the file says so, as `pg_ctl` reads it. Resolves to `false` when the process ends instead. */
const becomesReady = async (child: Subprocess, path: string): Promise<boolean> => {
  while (isRunning(child)) {
    if (existsSync(path) && /^ready\s*$/m.test(readFileSync(path, 'utf8'))) return true;
    await Bun.sleep(5);
  }
  return false;
};

const isRunning = ({ exitCode, signalCode }: Subprocess): boolean => exitCode === null && signalCode === null;

const commonSettings: Settings = {
  unix_socket_directories: '',
  max_connections: '300',
  // In the folder of the data. By default a killed server leaves it in memory.
  dynamic_shared_memory_type: 'mmap',
  // No test cuts the power of the machine, and the writes of a killed server are still in the kernel's memory.
  fsync: 'off',
  full_page_writes: 'off',
};

/** The process that starts all others comes first, so that it starts no more of them. */
const freeze = (server: number): number[] => {
  signal(server, 'SIGSTOP');
  const all = processesOf(server);
  for (const pid of all) signal(pid, 'SIGSTOP');
  return all;
};

const processesOf = (server: number): number[] => {
  const path = `/proc/${server}/task/${server}/children`;
  const children = existsSync(path)
    ? readFileSync(path, 'utf8')
    : Bun.spawnSync(['pgrep', '-P', String(server)]).stdout.toString();
  return [server, ...(children.match(/\d+/g) ?? []).map(Number)];
};

/** A connection may have ended its process meanwhile. */
const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ESRCH')) throw error;
  }
};

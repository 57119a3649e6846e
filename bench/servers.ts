/** The service and its peers, each set up as its own guide says, on a database of its own. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../tests/support/port.ts';
import { readUntil } from '../tests/support/until.ts';
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
}

/** A running server. */
export interface Running extends AsyncDisposable {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

export const run = async ({ start }: Contestant): Promise<Running> => {
  const folder = mkdtempSync(join(tmpdir(), 'plant-store-bench-'));
  const port = await freePort();
  const { process, token } = await start({ folder, port });
  return {
    url: `http://127.0.0.1:${port}`,
    token,
    pid: process.pid,
    [Symbol.asyncDispose]: async () => {
      process.kill('SIGKILL');
      await process.exited;
      rmSync(folder, { recursive: true });
    },
  };
};

const here = (path: string): string => join(import.meta.dir, path);

const spawn = (command: readonly string[], env: Readonly<Record<string, string>>) =>
  Bun.spawn([...command], {
    env: { PATH: process.env['PATH'] ?? '', HOME: process.env['HOME'] ?? '', NODE_ENV: 'production', ...env },
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'ignore',
  });

/** A server of `servers/`, which says when it listens. */
const peer = (name: string, command: readonly string[], synchronous?: 'FULL' | 'NORMAL'): Contestant => ({
  name: synchronous === undefined ? name : `${name}, synchronous=${synchronous}`,
  isDurable: synchronous === 'FULL',
  start: async ({ folder, port }) => {
    const env = { PORT: `${port}`, DATABASE: join(folder, 'plants.sqlite'), SYNCHRONOUS: synchronous ?? '' };
    const started = spawn(command, env);
    await readUntil(started.stdout.getReader(), 'listening');
    return { process: started, token: '' };
  },
});

const bun = (file: string): string[] => [process.execPath, here(`servers/${file}`)];
const node = (file: string): string[] => [here('node_modules/.bin/node'), here(`servers/${file}`)];

const fastify = `Fastify ${devDependencies.fastify} + better-sqlite3 ${devDependencies['better-sqlite3']}`;
const hono = `Hono ${devDependencies.hono} + bun:sqlite`;

/** With its log on, which goes to a file. */
const plantStore: Contestant = {
  name: 'Plant Store',
  isDurable: true,
  start: async ({ folder, port }) => {
    const database = join(folder, 'plants.sqlite');
    const main = [process.execPath, here('../src/main.ts')];
    const made = spawn([...main, 'token', 'create', '--name', 'bench', '--database', database], {});
    const token = (await made.stdout.text()).trim();
    const log = join(folder, 'log');
    const serve = `exec "$0" "$1" serve --port ${port} --database "${database}" 2>"${log}"`;
    const started = spawn(['sh', '-c', serve, ...main], {});
    while (!(await isReady(port))) await Bun.sleep(20);
    return { process: started, token };
  },
};

const isReady = async (port: number): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${port}/readyz`)).ok;
  } catch {
    return false;
  }
};

export const ceiling = peer('bare Bun.serve, keeps nothing', bun('echo.ts'));

export const contestants: readonly Contestant[] = [
  ceiling,
  peer('Elysia with validation, keeps nothing', bun('elysia.ts')),
  peer(fastify, node('fastify.mjs'), 'FULL'),
  peer(fastify, node('fastify.mjs'), 'NORMAL'),
  peer(hono, bun('hono.ts'), 'FULL'),
  peer(hono, bun('hono.ts'), 'NORMAL'),
  peer(`json-server ${devDependencies['json-server']}`, node('json-server.cjs')),
  plantStore,
];

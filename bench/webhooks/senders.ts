/** The senders that `bun run bench webhooks` compares: the service, jobs of River, and floors that do less. */
import { join } from 'node:path';
import { devDependencies as runtimePackages } from '../../package.json';
import { writePlants } from '../own/works.ts';
import { devDependencies } from '../package.json';
import { go } from '../requests/builder.ts';
import {
  bun,
  databaseIn,
  deno,
  type HttpServer,
  node,
  plantStore,
  plantStoreProgram,
  type Running,
  runOn,
  spawn,
  startListening,
} from '../support/servers.ts';

export interface Sender {
  readonly name: string;
  readonly server: HttpServer;
  /** Whether a part of its work is in PostgreSQL. */
  readonly usesPostgres: boolean;
  /** Gives the sender this number of messages for each webhook. The process of the sender has no other work meanwhile. */
  give(running: Running, count: number): Promise<void>;
}

let nextId = 1;

/** The service gets the events by an import, which is a process of its own. */
const service = (name: string, urls: readonly string[], program = plantStoreProgram, database?: string): Sender => ({
  name,
  usesPostgres: database !== undefined,
  server: plantStore({ webhooks: urls, program, ...(database !== undefined && { database }) }),
  give: async (running, count) => {
    const file = join(running.database, `../plants-${nextId}.csv`);
    await writePlants(file, count, nextId);
    nextId += count;
    await runOn(program, 'import', file, '--database', database ?? running.database);
  },
});

const floor = (
  name: string,
  command: readonly string[],
  urls: readonly string[],
  { count, isDurable }: { readonly count: number; readonly isDurable: boolean },
): Sender => ({
  name,
  usesPostgres: false,
  server: {
    name,
    start: async ({ folder }) => {
      const env = { URLS: urls.join(' '), COUNT: `${count}`, ...(isDurable && { DATABASE: databaseIn(folder) }) };
      return { ...(await startListening(command, env)), token: '' };
    },
  },
  give: async ({ pid }) => void process.kill(pid, 'SIGUSR2'),
});

/** The messages are jobs, which another process of its program inserts. */
const river = (name: string, urls: readonly string[], database?: string): Sender => {
  const envOf = (path: string) => ({ URLS: urls.join(' '), DATABASE: database ?? path });
  return {
    name,
    usesPostgres: database !== undefined,
    server: {
      name,
      start: async ({ folder }) => ({
        ...(await startListening([riverPeer.program], envOf(databaseIn(folder)))),
        token: '',
      }),
    },
    give: async (running, count) => {
      const inserting = spawn([riverPeer.program, 'insert', `${nextId}`, `${count}`], envOf(running.database));
      nextId += count;
      if ((await inserting.exited) !== 0) throw new Error(`${name} has not inserted its jobs.`);
    },
  };
};

const goFloor = go('webhooks/floor-go');
const riverPeer = go('peers/river');
const main = '../src/main.ts';

export const senders = async (
  urls: readonly string[],
  { count, postgres }: { readonly count: number; readonly postgres: readonly string[] },
): Promise<readonly Sender[]> => {
  for (const built of [goFloor, riverPeer]) if (built.isInstalled()) await built.build();
  const [onBun = '', onNode = '', onDeno = '', ofRiver = ''] = postgres;
  const riverName = `River ${riverPeer.versionOf('github.com/riverqueue/river')}`;
  return [
    floor('floor: Bun, durable', bun('webhooks/floor.ts'), urls, { count, isDurable: true }),
    service('Plant Store', urls),
    service(`… on Node.js ${devDependencies.node}`, urls, node(main)),
    service(`… on Deno ${runtimePackages['@deno/linux-x64-glibc']}`, urls, deno(main)),
    service('… on PostgreSQL', urls, undefined, onBun),
    service('… on PostgreSQL and Node.js', urls, node(main), onNode),
    service('… on PostgreSQL and Deno', urls, deno(main), onDeno),
    ...(riverPeer.isInstalled()
      ? [river(`${riverName} on SQLite`, urls), river(`${riverName} on PostgreSQL`, urls, ofRiver)]
      : []),
    floor(`floor: Node.js ${devDependencies.node}, durable`, node('webhooks/floor-node.ts'), urls, {
      count,
      isDurable: true,
    }),
    floor(`floor: Deno ${runtimePackages['@deno/linux-x64-glibc']}, durable`, deno('webhooks/floor-node.ts'), urls, {
      count,
      isDurable: true,
    }),
    floor('Bun, stores nothing', bun('webhooks/floor.ts'), urls, { count, isDurable: false }),
    ...(goFloor.isInstalled()
      ? [floor(`Go ${goFloor.compilerVersion}, stores nothing`, [goFloor.program], urls, { count, isDurable: false })]
      : []),
  ];
};

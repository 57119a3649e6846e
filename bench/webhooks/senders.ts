/** The senders that `bun run bench webhooks` compares: the service, and floors that do less. */
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
  startListening,
} from '../support/servers.ts';

export interface Sender {
  readonly name: string;
  readonly server: HttpServer;
  /** Gives the sender this number of messages for each webhook. The process of the sender has no other work meanwhile. */
  give(running: Running, count: number): Promise<void>;
}

let nextId = 1;

/** The service gets the events by an import, which is a process of its own. */
const service = (name: string, urls: readonly string[], program = plantStoreProgram, database?: string): Sender => ({
  name,
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
  server: {
    name,
    start: async ({ folder }) => {
      const env = { URLS: urls.join(' '), COUNT: `${count}`, ...(isDurable && { DATABASE: databaseIn(folder) }) };
      return { ...(await startListening(command, env)), token: '' };
    },
  },
  give: async ({ pid }) => void process.kill(pid, 'SIGUSR2'),
});

const goFloor = go('webhooks/floor-go');
const main = '../src/main.ts';

export const senders = async (
  urls: readonly string[],
  { count, postgres }: { readonly count: number; readonly postgres: readonly string[] },
): Promise<readonly Sender[]> => {
  if (goFloor.isInstalled()) await goFloor.build();
  const [onBun = '', onNode = '', onDeno = ''] = postgres;
  return [
    floor('Bun, durable', bun('webhooks/floor.ts'), urls, { count, isDurable: true }),
    service('Plant Store', urls),
    service(`… on Node.js ${devDependencies.node}`, urls, node(main)),
    service(`… on Deno ${runtimePackages['@deno/linux-x64-glibc']}`, urls, deno(main)),
    service('… on PostgreSQL', urls, undefined, onBun),
    service('… on PostgreSQL and Node.js', urls, node(main), onNode),
    service('… on PostgreSQL and Deno', urls, deno(main), onDeno),
    floor('Bun, stores nothing', bun('webhooks/floor.ts'), urls, { count, isDurable: false }),
    ...(goFloor.isInstalled()
      ? [floor(`Go ${goFloor.compilerVersion}, stores nothing`, [goFloor.program], urls, { count, isDurable: false })]
      : []),
  ];
};

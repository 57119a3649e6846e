/** The servers that `bun run bench streams` compares: the service, Centrifugo, and floors that store nothing. */
import { devDependencies as runtimePackages } from '../../package.json';
import { devDependencies } from '../package.json';
import { go } from '../requests/builder.ts';
import { bareServer, bun, deno, type HttpServer, node, plantStore, startListening } from '../support/servers.ts';

export interface Hub {
  readonly server: HttpServer;
  /** Another process that creates the events. Default: the server itself. */
  readonly creator?: HttpServer;
  /** Whether it ends a stream that reads too slowly, and loses what the stream has not read. */
  readonly canMiss?: boolean;
  /** The path of a stream of all events. */
  readonly streamPath: string;
  /** The path, the headers and the body of a request that creates an event. */
  readonly toRequest: (plant: Plant, token: string) => HubRequest;
}

export interface Plant {
  readonly id: number;
  readonly name: string;
  readonly tag: string;
}

export interface HubRequest {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const withPlants = (server: HttpServer): Hub => ({
  server,
  streamPath: '/events',
  toRequest: (plant, token) => ({
    path: '/plants',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(plant),
  }),
});

/** Its engine keeps the last events in memory, from which a client can recover. */
const centrifugo = (name: string, program: string): Hub => ({
  canMiss: true,
  server: {
    name,
    start: async ({ port }) => {
      const env = {
        CENTRIFUGO_HTTP_SERVER_ADDRESS: '127.0.0.1',
        CENTRIFUGO_HTTP_SERVER_PORT: `${port}`,
        CENTRIFUGO_HTTP_API_KEY: apiKey,
        CENTRIFUGO_UNI_SSE_ENABLED: 'true',
        CENTRIFUGO_CLIENT_INSECURE: 'true',
        CENTRIFUGO_CHANNEL_WITHOUT_NAMESPACE_HISTORY_SIZE: '1000',
        CENTRIFUGO_CHANNEL_WITHOUT_NAMESPACE_HISTORY_TTL: '300s',
        CENTRIFUGO_CHANNEL_WITHOUT_NAMESPACE_FORCE_RECOVERY: 'true',
      };
      // Its log is on stderr.
      const command = ['sh', '-c', 'exec "$0" 2>&1', program];
      return { ...(await startListening(command, env, 'serving')), token: '' };
    },
  },
  streamPath: `/connection/uni_sse?cf_connect=${encodeURIComponent('{"subs":{"plants":{}}}')}`,
  toRequest: (plant) => ({
    path: '/api/publish',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ channel: 'plants', data: { type: 'plant.created', timestamp: new Date(), plant } }),
  }),
});

const apiKey = 'bench';
const goFloor = go('streams/floor-go');
const centrifugoPeer = go('peers/centrifugo', 'github.com/centrifugal/centrifugo/v6');
const main = '../src/main.ts';

export const hubs = async (database: string): Promise<readonly Hub[]> => {
  for (const built of [goFloor, centrifugoPeer]) if (built.isInstalled()) await built.build();
  const onPostgres = plantStore({ database });
  const onNode = { program: node(main) };
  const onDeno = { program: deno(main) };
  const services: readonly HttpServer[] = [
    plantStore(),
    { ...plantStore(onNode), name: `… on Node.js ${devDependencies.node}` },
    { ...plantStore(onDeno), name: `… on Deno ${runtimePackages['@deno/linux-x64-glibc']}` },
    { ...onPostgres, name: '… on PostgreSQL' },
    { ...plantStore({ ...onNode, database }), name: '… on PostgreSQL and Node.js' },
    { ...plantStore({ ...onDeno, database }), name: '… on PostgreSQL and Deno' },
  ];
  const floors = [
    bareServer('Bun, a block each 50 ms', bun('streams/floor.ts')),
    ...(goFloor.isInstalled()
      ? [bareServer(`Go ${goFloor.compilerVersion}, a flush for each event`, [goFloor.program])]
      : []),
  ];
  const version = centrifugoPeer.versionOf('github.com/centrifugal/centrifugo/v6');
  return [
    ...services.map(withPlants),
    { ...withPlants({ ...onPostgres, name: '… with events of another process' }), creator: onPostgres },
    ...floors.map(withPlants),
    ...(centrifugoPeer.isInstalled() ? [centrifugo(`Centrifugo ${version}`, centrifugoPeer.program)] : []),
  ];
};

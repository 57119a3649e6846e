/**
 * The servers that `bun run bench` compares. Each peer does the same work as the service for the same requests, as `same-work.ts`
 * checks, and is written as a good engineer of its stack would write it. Only the ceiling does less.
 */
import { devDependencies as runtimePackages } from '../../package.json';
import { devDependencies } from '../package.json';
import {
  bareServer,
  bun,
  databaseIn,
  deno,
  type HttpServer,
  logIn,
  node,
  plantStore,
  startListening,
} from '../support/servers.ts';
import { generatePeerToken, type IssueToken, issuePeerToken, issuePlantStoreToken } from '../support/tokens.ts';
import { type Builder, cargo, go } from './builder.ts';

export interface Contestant extends HttpServer {
  /** The name and the versions of its parts. */
  readonly name: string;
  /** A short label for a plot. */
  readonly stack: string;
  /** The versions of its parts, by their names. */
  readonly versions: Readonly<Record<string, string>>;
  /** Issues a token for the server on this database. Absent for the ceiling, which has no tokens. */
  readonly issueToken?: IssueToken;
  /** Whether its build and run-time tools are installed. */
  isAvailable(): boolean;
  /** Builds the server. Absent if nothing has to be built. */
  build?(): Promise<void>;
}

/** The ceiling: only an HTTP server. */
export const ceiling: Contestant = {
  ...bareServer(`Bun ${Bun.version} alone, stores nothing`, bun('peers/echo.ts')),
  stack: 'Bun.serve alone',
  versions: { Bun: Bun.version },
  isAvailable: () => true,
};

/** The service, as an operator starts it from source. */
export const service: Contestant = {
  ...plantStore(),
  stack: 'Plant Store',
  versions: { Bun: Bun.version },
  issueToken: issuePlantStoreToken,
  isAvailable: () => true,
};

/** What differs between peers. */
export interface Peer extends Pick<Contestant, 'stack' | 'versions'> {
  /** A command, or the builder of the program. */
  readonly program: readonly string[] | Builder;
  /** The name of a variant, and its settings. */
  readonly variant?: { readonly name: string; readonly env: Readonly<Record<string, string>> };
}

/** A server of `peers/`. It has a new database, and a token with both scopes for plants. */
export const peer = ({ stack, versions, program, variant }: Peer): Contestant => {
  const isBuilt = 'build' in program;
  const command = isBuilt ? [program.program] : program;
  return {
    name: [
      Object.entries(versions)
        .map((part) => part.join(' '))
        .join(' + '),
      ...(variant ? [variant.name] : []),
    ].join(', '),
    stack,
    versions,
    issueToken: issuePeerToken,
    isAvailable: () => !isBuilt || program.isInstalled(),
    ...(isBuilt && { build: program.build }),
    start: async ({ folder, port }) => {
      const { text, digest } = generatePeerToken();
      const env = {
        PORT: `${port}`,
        DATABASE: databaseIn(folder),
        LOG: logIn(folder),
        TOKEN_DIGEST: digest,
        ...variant?.env,
      };
      return { ...(await startListening(command, env)), token: text };
    },
  };
};

const axum = cargo('peers/axum', 'plant-store-axum');
const axumVersions = {
  axum: axum.versionOf('axum'),
  rusqlite: axum.versionOf('rusqlite'),
  Rust: axum.compilerVersion,
};
const goServer = go('peers/go');
const pocketbase = go('peers/pocketbase');

const fastify = peer({
  stack: 'Fastify',
  versions: {
    Fastify: devDependencies.fastify,
    'better-sqlite3': devDependencies['better-sqlite3'],
    'Node.js': devDependencies.node,
  },
  program: node('peers/fastify/server.mjs'),
});
const honoOnBun = peer({
  stack: 'Hono',
  versions: { Hono: devDependencies.hono, 'bun:sqlite': Bun.version },
  program: bun('peers/hono/server.ts'),
});

export const contestants: readonly Contestant[] = [
  service,
  peer({ stack: 'axum', versions: axumVersions, program: axum }),
  peer({
    stack: 'axum, one thread',
    versions: axumVersions,
    program: axum,
    variant: { name: 'one thread serves and reads', env: { RUNTIME: 'current_thread' } },
  }),
  peer({
    stack: 'Go',
    versions: {
      'Go net/http': goServer.compilerVersion,
      'mattn/go-sqlite3': goServer.versionOf('github.com/mattn/go-sqlite3'),
    },
    program: goServer,
  }),
  peer({
    stack: 'PocketBase',
    versions: { PocketBase: pocketbase.versionOf('github.com/pocketbase/pocketbase'), Go: pocketbase.compilerVersion },
    program: pocketbase,
  }),
  fastify,
  honoOnBun,
  ceiling,
];

/** The service on this runtime, instead of Bun. */
const serviceOn = (runtime: string, version: string, program: readonly string[]): Contestant => ({
  ...plantStore({ program }),
  name: `Plant Store on ${runtime} ${version}`,
  stack: `Plant Store on ${runtime}`,
  versions: { [runtime]: version },
  issueToken: issuePlantStoreToken,
  isAvailable: () => true,
});

const main = '../src/main.ts';
const denoVersion = runtimePackages['@deno/linux-x64-glibc'];

/** On each runtime the service, and the peer that is usual there. Both have the same executable. */
export const pairs: readonly (readonly [service: Contestant, peer: Contestant])[] = [
  [serviceOn('Bun', Bun.version, bun(main)), honoOnBun],
  [
    serviceOn('Deno', denoVersion, deno(main)),
    peer({
      stack: 'Hono on Deno',
      versions: { Hono: devDependencies.hono, 'node:sqlite of Deno': denoVersion },
      program: deno('peers/hono/deno/server.mjs'),
    }),
  ],
  [serviceOn('Node.js', devDependencies.node, node(main)), fastify],
];

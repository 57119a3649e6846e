/** A Citus cluster for the tests: a coordinator and two workers, on free ports of 127.0.0.1. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from '../store/sql.ts';
import { findAllBinaries } from './postgres-binaries.ts';
import { type PostgresServer, type Settings, startPostgres } from './postgres-server.ts';

export interface CitusCluster extends AsyncDisposable {
  readonly coordinator: PostgresServer;
  readonly workers: readonly PostgresServer[];
}

/** The programs of a PostgreSQL that has Citus. Undefined if it is not installed. */
export const findCitus = (): string | undefined => {
  const bin = findAllBinaries();
  if (bin === undefined) return undefined;
  const { stdout } = Bun.spawnSync([join(bin, 'pg_config'), '--pkglibdir']);
  return existsSync(join(`${stdout}`.trim(), 'citus.so')) ? bin : undefined;
};

/** Use with `await using`. */
export const startCitus = async (settings: Settings = {}): Promise<CitusCluster> => {
  const citus = findCitus();
  if (citus === undefined) throw new Error('There is no Citus.');
  await using started = new AsyncDisposableStack();
  const start = async () => started.use(await startPostgres({ ...citusSettings, ...settings }, citus));
  const [coordinator, ...workers] = await Promise.all([start(), start(), start()]);
  await connectNodes([coordinator, ...workers].map(({ url }) => url));
  const own = started.move();
  return { coordinator, workers, [Symbol.asyncDispose]: () => own.disposeAsync() };
};

/** Connects a database of each node, of which the first becomes the coordinator. These are their URLs. */
export const connectNodes = async (nodes: readonly string[]): Promise<void> => {
  const [coordinator = '', ...workers] = nodes;
  const addressOf = (url: string): string => `'${new URL(url).hostname}', ${new URL(url).port}`;
  await Promise.all(nodes.map((url) => run(url, ['CREATE EXTENSION citus'])));
  await run(coordinator, [
    `SELECT citus_set_coordinator_host(${addressOf(coordinator)})`,
    ...workers.map((url) => `SELECT citus_add_node(${addressOf(url)})`),
  ]);
};

const run = async (url: string, statements: readonly string[]): Promise<void> => {
  await using sql = new SQL(url, { max: 1 });
  for (const statement of statements) await sql.unsafe(statement);
};

const citusSettings: Settings = {
  shared_preload_libraries: 'citus',
  'citus.enable_schema_based_sharding': 'on',
  // The servers of the tests have no certificates.
  'citus.node_conninfo': 'sslmode=disable',
  // Adding a node to two databases at the same time would fail.
  'citus.enable_create_role_propagation': 'off',
  'citus.enable_alter_role_propagation': 'off',
  wal_level: 'logical',
  jit: 'off',
  // Each database has a process of Citus on each node.
  max_worker_processes: '100',
};

/**
 * Two stores in distributed schemas of a Citus cluster, each on one of two workers. Forty-eight clients create, read, change and remove
 * plants of one of them, through a process on the coordinator and one on the workers, while nodes are killed, stopped and frozen, and the
 * store is moved to the other worker. Each request with status 503 is repeated. No acknowledged change may be lost or hidden: for each
 * plant there must be an order of its requests that explains all responses, and all readers of the log must have the same one. While the
 * node of a store runs, the loss of another must not stop it. No batch may have a commit of two phases.
 *
 *     bun tests/faults/citus.ts [--rounds 70] [--seed 1]        a round is one interruption
 */

import { sendInTurn, startLoad, untilAcknowledged } from '../support/plant-load.ts';
import { findCitus, startCitus } from '../support/postgres/citus.ts';
import type { PostgresServer } from '../support/postgres/postgres-server.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';
import { promisedMs } from '../support/promised.ts';
import { SQL } from '../support/store/sql.ts';
import { followLog, readLog } from '../support/streams/log-reader.ts';
import { createDatabase } from './support/database.ts';
import { countsOf, expectExplained, stopInOrder } from './support/load-verdict.ts';
import { createLongest } from './support/longest.ts';
import { readOptions, skip } from './support/options.ts';
import { ask, untilResumed } from './support/resume.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random } = readOptions(70);
const clients = 48;
const awayMsMax = 8000;
const changesBeforeFaults = 2000;

if (findCitus() === undefined) skip('Citus is not installed for a PostgreSQL of this machine');
const { expect, expectWithin, end } = createVerdict();

// Without it, the number of rows in pg_dist_transaction is that of the commits with two phases.
await using cluster = await startCitus({ 'citus.recover_2pc_interval': '-1' });
const { coordinator, workers } = cluster;
const nodes = [coordinator, ...workers];
const query = async <Row>({ url }: PostgresServer, statement: string): Promise<Row[]> => {
  await using sql = new SQL(url, { max: 1 });
  return await sql.unsafe(statement);
};

/** The URL of the store in a schema, by these nodes. */
const urlOf = (schema: string, ...servers: readonly PostgresServer[]): string =>
  `postgres://plant@${servers.map(({ url }) => new URL(url).host).join()}/postgres?options=-c%20search_path%3D${schema}`;

const nodeOf = async (schema: string): Promise<PostgresServer> => {
  const [row] = await query<{ port: number }>(
    coordinator,
    `SELECT nodeport AS port FROM citus_shards WHERE table_name = '${schema}.plants'::regclass`,
  );
  const node = nodes.find(({ port }) => port === row?.port);
  if (!node) throw new Error(`${schema} is on no node.`);
  return node;
};
const otherOf = (node: PostgresServer): PostgresServer => workers.find((one) => one !== node) ?? node;

/** How many commits of two phases there were. */
const countPrepared = async (): Promise<number> => {
  const counts = await Promise.all(
    nodes.map((node) => query<{ count: number }>(node, 'SELECT count(*)::int FROM pg_dist_transaction')),
  );
  return counts.flat().reduce((sum, { count }) => sum + count, 0);
};

await query(coordinator, 'CREATE SCHEMA garden; CREATE SCHEMA balcony');
const headers = await createDatabase(urlOf('garden', coordinator));
const neighbourHeaders = await createDatabase(urlOf('balcony', coordinator));
expect((await nodeOf('garden')) !== (await nodeOf('balcony')), 'both stores are on one node');

await using first = await startServer(urlOf('garden', coordinator));
await using second = await startServer(urlOf('garden', ...workers));
await using neighbour = await startServer(urlOf('balcony', coordinator));
const servers = [first, second];

interface Way {
  /** The node that is interrupted. */
  readonly node: (home: PostgresServer) => PostgresServer;
  readonly leave: (node: PostgresServer) => unknown;
  readonly comeBack: (node: PostgresServer) => unknown;
  /** The processes that work meanwhile. */
  readonly unaffected: readonly RunningServer[];
}

const move = (schema: string, { port }: PostgresServer) =>
  query(coordinator, `SELECT citus_schema_move('${schema}', '127.0.0.1', ${port})`);
const home = (node: PostgresServer): PostgresServer => node;
const kill = (node: PostgresServer) => node.kill();
const start = (node: PostgresServer) => node.start();

const ways: Readonly<Record<string, Way>> = {
  'node killed': { node: home, leave: kill, comeBack: start, unaffected: [neighbour] },
  'node stopped': { node: home, leave: (node) => node.stop(), comeBack: start, unaffected: [neighbour] },
  'node frozen': {
    node: home,
    leave: (node) => node.freeze(),
    comeBack: (node) => node.thaw(),
    unaffected: [neighbour],
  },
  'node killed at once': { node: home, leave: kill, comeBack: start, unaffected: [] },
  'other node killed': { node: otherOf, leave: kill, comeBack: start, unaffected: [first, second] },
  'coordinator killed': { node: () => coordinator, leave: kill, comeBack: start, unaffected: [second] },
  moved: {
    node: otherOf,
    leave: (node) => move('garden', node),
    // Two stores on one node would both be affected.
    comeBack: (node) => move('balcony', otherOf(node)),
    unaffected: [first, second, neighbour],
  },
};

/** Resolves to the longest time until processes that must work do. */
const interrupt = async (name: string, { node, leave, comeBack, unaffected }: Way): Promise<number> => {
  const interrupted = node(await nodeOf('garden'));
  let resumedMs = 0;
  const untilAllResumed = async (processes: readonly RunningServer[]): Promise<void> => {
    const startedAtMs = performance.now();
    await Promise.all(processes.map((one) => untilResumed(one, one === neighbour ? neighbourHeaders : headers)));
    resumedMs = Math.max(resumedMs, Math.round(performance.now() - startedAtMs));
    expectWithin(promisedMs.resumed, `${name}: the next write`, { fromMs: startedAtMs });
  };
  await leave(interrupted);
  if (unaffected.length > 0) await Bun.sleep(awayMsMax * random() ** 3);
  await untilAllResumed(unaffected);
  for (const { url } of servers) expect((await ask(`${url}/healthz`)) === 200, `${name}: /healthz did not get 200`);
  await comeBack(interrupted);
  await untilAllResumed([first, second, neighbour]);
  return resumedMs;
};

const readers = servers.map(({ url }) => followLog({ url, headers }));
const urls = servers.map(({ url }) => url);
await using load = startLoad(sendInTurn(urls, headers), {
  clients,
  plants: 1000,
  random,
  pauseMs: 5,
  repeats: true,
  onResponse: (time) => expectWithin(promisedMs.answered, 'a response', time),
});
const preparedBefore = await countPrepared();
await untilAcknowledged(load, changesBeforeFaults);
const prepared = (await countPrepared()) - preparedBefore;
expect(prepared === 0, `${prepared} commits had two phases`);

const longest = createLongest();
for (const [round, name, way] of rounds.eachOf(ways)) {
  await untilAcknowledged(load, 200);
  const resumedMs = await interrupt(name, way);
  longest.note(name, 'resumed after at most, ms', resumedMs);
  console.error(`round ${round}, ${name}: ${load.acknowledged()} changes acknowledged`);
}
await load.stop();
await Promise.all(readers.map(({ stop }) => stop()));
const logs = await Promise.all(servers.map(({ url }) => readLog({ url, headers })));
for (const log of [...logs.slice(1), ...readers.map(({ events }) => events)])
  expect(Bun.deepEquals(log, logs[0]), 'two readers have different logs');

await expectExplained(load, urlOf('garden', coordinator), expect);
expect(load.count('given up') > 0, 'no request was given up, so no request without a response was repeated');
await stopInOrder([...servers, neighbour], expect);
longest.print();
end({
  rounds: rounds.count(),
  ...countsOf(load),
  'given up': load.count('given up'),
  'slowest response, ms': Math.round(load.slowestMs()),
  events: logs[0]?.length ?? 0,
});

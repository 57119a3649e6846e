/**
 * Restarts three processes on one PostgreSQL database, or two on one SQLite file, one after the other, while 48 clients create, read,
 * change and remove plants over connections that they keep open: through HAProxy and through nginx, both as in `deploy/`, and with no
 * proxy. Clients without a proxy have all addresses, and use the next one if a connection is refused, or closed without a byte of a
 * response. Every request must get a response, and every change must be made once. No request may be cut that a process may have read,
 * except without a delay, when it meets the end of an idle connection: then it must have changed nothing. In the controls the processes are killed, and requests
 * must be lost or cut.
 *
 *     bun tests/faults/rolling-restart.ts [--rounds 10] [--seed 1] [--scene SQLite]        a round restarts each process once
 */
import { SQL } from 'bun';
import { temporaryFolder } from '../support/folder.ts';
import { type StartBalancer, startHaproxy, startNginx } from '../support/network/balancer.ts';
import { createKeepAliveClient } from '../support/network/keep-alive.ts';
import { freePort } from '../support/network/port.ts';
import { startLoad, untilAcknowledged } from '../support/plant-load.ts';
import { auditLog } from '../support/postgres/postgres-audit.ts';
import { startPostgres } from '../support/postgres/postgres-server.ts';
import { type RunningServer, startServer } from '../support/programs/process.ts';
import { until } from '../support/until.ts';
import { comesTrue } from './support/comes-true.ts';
import { createDatabase, inspectDatabase } from './support/database.ts';
import { readOptions, skipWithout } from './support/options.ts';
import { createVerdict } from './support/verdict.ts';

const { rounds, random, choose } = readOptions(10);
const clients = 48;
/** The maximum time of a stop, besides the delay. The other processes keep the machine busy. */
const stopMsMax = 5000;

interface Scene {
  readonly name: string;
  readonly engine: Engine;
  readonly startBalancer?: StartBalancer;
  readonly delaySeconds: number;
  readonly signal: NodeJS.Signals;
  /** The numbers of its rounds. */
  readonly each: () => Iterable<number>;
}

/** Databases for processes that share them. */
interface Engine {
  readonly processes: number;
  readonly createUrl: () => Promise<string>;
  /** The number of events in the log, and its faults, in sentences. */
  readonly audit: (url: string) => Promise<{ readonly events: number; readonly faults: readonly string[] }>;
}

await using open = new AsyncDisposableStack();
const { expect, expectWithin, end } = createVerdict();

let server: Promise<string> | undefined;
const startServerOnce = (): Promise<string> => {
  server ??= startPostgres().then((postgres) => open.use(postgres).url);
  return server;
};

let databases = 0;
const onPostgres: Engine = {
  processes: 3,
  createUrl: async () => {
    const url = await startServerOnce();
    databases += 1;
    await using sql = new SQL(url, { max: 1 });
    await sql.unsafe(`CREATE DATABASE scene${databases}`);
    return url.replace(/postgres$/, `scene${databases}`);
  },
  audit: async (url) => {
    await using sql = new SQL(url, { max: 1 });
    const [row] = await sql`SELECT count(*)::int AS events FROM events`;
    return { events: row.events, faults: await auditLog(url) };
  },
};

const onSqlite: Engine = {
  processes: 2,
  createUrl: async () => open.use(temporaryFolder()).file('plants.sqlite'),
  audit: async (path) => {
    const { isWhole, isLogTrue, events } = inspectDatabase(path);
    const faults = [
      ...(isWhole ? [] : ['The file is damaged.']),
      ...(isLogTrue ? [] : ['The log makes other plants.']),
    ];
    return { events, faults };
  },
};

const everyRound = { signal: 'SIGTERM', each: rounds.each } as const;
const once = { signal: 'SIGKILL', each: () => [1] } as const;
const behindHaproxy = { engine: onPostgres, startBalancer: startHaproxy, delaySeconds: 3 };
const onOneFile = { engine: onSqlite, delaySeconds: 1 };

const scenes: readonly Scene[] = [
  { name: 'HAProxy', ...behindHaproxy, ...everyRound },
  { name: 'nginx', engine: onPostgres, startBalancer: startNginx, delaySeconds: 1, ...everyRound },
  { name: 'no proxy', engine: onPostgres, delaySeconds: 1, ...everyRound },
  { name: 'HAProxy, killed', ...behindHaproxy, ...once },
  { name: 'SQLite', ...onOneFile, ...everyRound },
  { name: 'SQLite, no delay', ...onOneFile, delaySeconds: 0, ...everyRound },
  { name: 'SQLite, killed', ...onOneFile, ...once },
];

/** Whether requests of the clients reach it again, and not only the checks of the balancer. */
const isInUse = ({ log }: RunningServer): boolean =>
  log.some(({ msg, route }) => msg === 'request' && route !== '/readyz');

const play = async ({ name, engine, startBalancer, delaySeconds, signal, each }: Scene) => {
  const database = await engine.createUrl();
  const authorization = await createDatabase(database);
  const ports = await Promise.all(Array.from({ length: engine.processes }, freePort));
  const start = (port: number): Promise<RunningServer> =>
    startServer(database, { args: ['--port', `${port}`], env: { SHUTDOWN_DELAY: `${delaySeconds}s` } });
  await using running = new AsyncDisposableStack();
  const servers = new Map(
    await Promise.all(ports.map(async (port) => [port, running.use(await start(port))] as const)),
  );
  await using balancer = await startBalancer?.(ports);
  using client = createKeepAliveClient(balancer ? [balancer.port] : ports);
  const load = startLoad(
    (method, path, { headers, ...rest }) =>
      client.send(method, path, { headers: { ...authorization, ...headers }, ...rest }),
    { clients, random, pauseMs: 5 },
  );
  await untilAcknowledged(load, 500);

  let [restarts, slowestStopMs] = [0, 0];
  for (const round of each()) {
    for (const [port, server] of servers) {
      const [stoppedAtMs, repeated] = [performance.now(), client.repeated()];
      server.kill(signal);
      const exitCode = await server.exited;
      expect(signal === 'SIGKILL' || exitCode === 0, `${name}: a process ended with ${exitCode}`);
      expect(!server.log.some(({ level }) => level === 'error'), `${name}: a process has logged an error`);
      slowestStopMs = Math.max(slowestStopMs, performance.now() - stoppedAtMs);
      if (signal !== 'SIGKILL')
        expectWithin(delaySeconds * 1000 + stopMsMax, `${name}: a stop`, { fromMs: stoppedAtMs });
      // Clients without a proxy must find the port closed: a process starts again only then.
      if (!startBalancer)
        expect(await comesTrue(() => client.repeated() > repeated), `${name}: no connection was refused`);
      const next = running.use(await start(port));
      servers.set(port, next);
      await until(() => isInUse(next));
      await untilAcknowledged(load, 50);
      restarts += 1;
    }
    console.error(`${name}: round ${round}, ${load.acknowledged()} changes acknowledged`);
  }
  await load.stop();

  const lost = load.faults();
  const { events, faults } = await engine.audit(database);
  if (signal === 'SIGKILL') expect(lost.length + client.cut() > 0, `${name}: the control lost no request`);
  else {
    for (const fault of lost) expect(false, `${name}: ${fault}`);
    if (delaySeconds > 0) expect(client.cut() === 0, `${name}: a stop has cut ${client.cut()} requests`);
    expect(load.count(50300) + load.count(50301) === 0, `${name}: a request got 503`);
    expect(events === load.acknowledged(), `${name}: a change was made twice, or not at all`);
  }
  for (const fault of faults) expect(false, `${name}: ${fault}`);
  return {
    scene: name,
    restarts,
    'changes acknowledged': load.acknowledged(),
    'requests lost': lost.length,
    connections: client.connections(),
    'sent again': client.repeated(),
    cut: client.cut(),
    'slowest response, ms': Math.round(load.slowestMs()),
    'slowest stop, ms': Math.round(slowestStopMs),
  };
};

const chosen = choose(scenes);
if (chosen.some(({ startBalancer }) => startBalancer)) for (const tool of ['haproxy', 'nginx']) skipWithout(tool);

const rows: Awaited<ReturnType<typeof play>>[] = [];
for (const scene of chosen) rows.push(await play(scene));
console.table(rows);
end({ rounds: rounds.count() });

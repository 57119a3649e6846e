/**
 * The service on a PostgreSQL server that becomes unavailable in many ways, under load, and available again. Each request gets a correct
 * response within ten seconds, and the service works again within two seconds of the server.
 */
import { afterAll, expect, test } from 'bun:test';
import { setImmediate as nextTurn, setTimeout } from 'node:timers/promises';
import { SQL } from 'bun';
import { waitMsMax } from '../../src/postgres/session/group-commit.ts';
import { reconnectPauseMs } from '../../src/postgres/session/reconnecting-session.ts';
import { asJson, type TestApp } from '../support/app/app.ts';
import { openPostgresApp } from '../support/app/postgres-app.ts';
import { countUntil, expectPace, idleMs } from '../support/pace.ts';
import { type Load, type Send, startLoad, untilAcknowledged } from '../support/plant-load.ts';
import { auditLog } from '../support/postgres/postgres-audit.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/postgres-server.ts';
import { startProxy, type TcpProxy } from '../support/postgres/proxy.ts';
import { promisedMs } from '../support/promised.ts';
import { until } from '../support/until.ts';

const backMsMax = 2000;
const clients = 8;

interface Scene extends AsyncDisposable {
  readonly server: PostgresServer;
  /** The URL of the database, for a superuser. */
  readonly url: string;
  /** The name of the database, and of the user. */
  readonly name: string;
  readonly proxy: TcpProxy;
  /** A session of a superuser that does not go through the proxy. */
  readonly admin: SQL;
  readonly app: TestApp;
  readonly load: Load;
  /** The longest response time so far. */
  readonly slowestMs: () => number;
  /** The same by an idle loop, which does not count the time without a processor. */
  readonly slowestIdleMs: () => number;
}

/** For tests of one database or its connections. A server takes long to start. */
let common: Promise<PostgresServer> | undefined;
afterAll(async () => (await common)?.[Symbol.asyncDispose]());

/** The app on a separate database through a proxy, as a user without superuser rights, under load. */
const setUp = async (isCommon = false): Promise<Scene> => {
  if (isCommon) common ??= startPostgres();
  const server = (await (isCommon ? common : undefined)) ?? (await startPostgres());
  const name = `app_${Bun.randomUUIDv7('hex').replaceAll('-', '')}`;
  const url = server.url.replace(/postgres$/, name);
  const main = new SQL(server.url, { max: 1 });
  await main.unsafe(`CREATE ROLE ${name} LOGIN`);
  await main.unsafe(`CREATE DATABASE ${name} OWNER ${name}`);
  await main.close({ timeout: 0 });
  const admin = new SQL(url, { max: 1 });
  const proxy = await startProxy(url.replace('plant@', `${name}@`));
  const app = await openPostgresApp(proxy.url);
  let [slowestMs, slowestIdleMs] = [0, 0];
  const send: Send = (...request) => {
    const startedAtMs = performance.now();
    const sending = app.send(...request);
    void idleMs(sending).then((ms) => {
      slowestMs = Math.max(slowestMs, performance.now() - startedAtMs);
      slowestIdleMs = Math.max(slowestIdleMs, ms);
    });
    return sending;
  };
  // Several scenes run in this process at once.
  const load = startLoad(send, { clients, pauseMs: 200 });
  await untilAcknowledged(load, 30);
  return {
    server,
    url,
    name,
    proxy,
    admin,
    app,
    load,
    slowestMs: () => slowestMs,
    slowestIdleMs: () => slowestIdleMs,
    [Symbol.asyncDispose]: async () => {
      await load[Symbol.asyncDispose]();
      await app[Symbol.asyncDispose]();
      await proxy[Symbol.asyncDispose]();
      await admin.close({ timeout: 0 });
      if (!isCommon) await server[Symbol.asyncDispose]();
    },
  };
};

const anonymous = { authorization: null };
const isReady = async ({ send }: TestApp): Promise<boolean> => (await send('GET', '/readyz', anonymous)).status === 200;

let probes = 1_000_000;
const canCreate = async ({ send }: TestApp): Promise<boolean> => {
  probes += 1;
  return (await send('POST', '/plants', { headers: asJson, body: `{"id":${probes},"name":"n"}` })).status === 200;
};

/** Connects as the service does, with its pause. Resolves to the time before the pause. */
const connectBare = async (url: string): Promise<number> => {
  const startedAtMs = performance.now();
  await using sql = new SQL(url, { max: 1 });
  await sql`SELECT 1`;
  const tookMs = performance.now() - startedAtMs;
  await setTimeout(reconnectPauseMs);
  return tookMs;
};

const untilRefused = ({ load }: Scene): Promise<void> => until(() => load.count(50300) + load.count(50301) > 0);

/** The control of the return: how long ten more creates take, one after the other, at the same load. */
const tenCreatesMs = async (app: TestApp): Promise<number> => {
  const startedAtMs = performance.now();
  for (let creates = 0; creates < 10; creates += 1) await until(() => canCreate(app));
  return performance.now() - startedAtMs;
};

/** Expects that the service works again soon, and that every response was correct. */
const expectBack = async ({ url, app, load, slowestIdleMs }: Scene): Promise<void> => {
  const working = Promise.all([until(() => canCreate(app)), until(() => isReady(app))]);
  const connections = await countUntil(working, () => connectBare(url));
  expectPace('the return', connections * reconnectPauseMs, backMsMax + (await tenCreatesMs(app)));
  await untilAcknowledged(load, 30);
  await load.stop();
  expect(load.faults()).toEqual([]);
  expectPace('the slowest response', slowestIdleMs(), promisedMs.answered);
  expect(await auditLog(url)).toEqual([]);
};

const set = async ({ admin }: Scene, name: string, value: string): Promise<void> => {
  await admin.unsafe(`ALTER SYSTEM SET ${name} = '${value}'`);
  await admin`SELECT pg_reload_conf()`;
};

test.concurrent.each<[string, boolean, (scene: Scene) => unknown, (scene: Scene) => unknown]>([
  ['a server that is frozen', false, ({ server }) => server.freeze(), ({ server }) => server.thaw()],
  ['a server that is killed', false, ({ server }) => server.kill(), ({ server }) => server.start()],
  ['a server that is stopped', false, ({ server }) => server.stop(), ({ server }) => server.start()],
  ['a port that is closed', true, ({ proxy }) => proxy.refuse(), ({ proxy }) => proxy.accept()],
  [
    'a server without free connections',
    true,
    async ({ admin, name, proxy }) => {
      await admin.unsafe(`ALTER ROLE ${name} CONNECTION LIMIT 0`);
      proxy.cut();
    },
    ({ admin, name }) => admin.unsafe(`ALTER ROLE ${name} CONNECTION LIMIT -1`),
  ],
])(
  'with %s, requests are answered 503, no acknowledged change is lost, and the service comes back with it',
  async (_what, isCommon, leave, comeBack) => {
    await using scene = await setUp(isCommon);
    await leave(scene);
    await Promise.all([untilRefused(scene), until(async () => !(await isReady(scene.app)))]);
    expect((await scene.app.send('GET', '/healthz', anonymous)).status).toBe(200);
    await comeBack(scene);
    await expectBack(scene);
  },
);

test.concurrent('with a server that becomes read-only, only changes get 50300', async () => {
  await using scene = await setUp();
  await set(scene, 'default_transaction_read_only', 'on');
  await untilRefused(scene);
  expect((await scene.app.send('GET', '/plants')).status).toBe(200);
  await set(scene, 'default_transaction_read_only', 'off');
  await expectBack(scene);
});

test.concurrent('while a table is missing, requests get 50300', async () => {
  await using scene = await setUp(true);
  await scene.admin`ALTER TABLE plants RENAME TO away`;
  await untilRefused(scene);
  expect((await scene.app.send('GET', '/plants')).status).toBe(503);
  await scene.admin`ALTER TABLE away RENAME TO plants`;
  await expectBack(scene);
});

test.concurrent('sessions that the server ends are replaced, and no request is lost', async () => {
  await using scene = await setUp(true);
  let slowestBareMs = 0;
  const endSessions = async (): Promise<void> => {
    for (let times = 0; times < 20; times += 1) {
      await scene.admin`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = current_database()`;
      await untilAcknowledged(scene.load, 5);
    }
  };
  await countUntil(endSessions(), async () => {
    slowestBareMs = Math.max(slowestBareMs, await connectBare(scene.url));
  });
  // A busy machine lets a change wait for so long that it is refused. Its token and the change each need a new session, which is slow there,
  // and another one when that is ended too.
  if (scene.slowestMs() > waitMsMax)
    expectPace('the slowest response', scene.slowestIdleMs(), waitMsMax + 4 * slowestBareMs);
  else expect(scene.load.count(50300) + scene.load.count(50301)).toBe(0);
  await expectBack(scene);
});

test.concurrent('all dead connections are replaced as soon as one of them times out', async () => {
  await using scene = await setUp(true);
  const { sentInVain, closed } = scene.proxy.forget();
  // The first request is refused earlier if it waits for another one, whose session has not yet timed out.
  await closed;
  // The proxy has not yet read what was sent in the turn of the event loop in which one timed out.
  for (let turns = 0; turns < 2; turns += 1) await nextTurn();
  const before = sentInVain();
  await expectBack(scene);
  expect(sentInVain()).toBe(before);
});

test.concurrent('while a synchronous standby is missing, only changes fail, and connections do not accumulate', async () => {
  await using scene = await setUp();
  const { admin, app, load } = scene;
  await set(scene, 'synchronous_standby_names', 'missing');
  let most = 0;
  for (let looks = 0; looks < 20; looks += load.count(50301) > 0 ? 1 : 0) {
    expect((await app.send('GET', '/plants')).status).toBe(200);
    const [row] = await admin`SELECT count(*)::int FROM pg_stat_activity WHERE usename = current_database()`;
    most = Math.max(most, row.count);
    await setTimeout(20);
  }
  // Four to read, one to write, and two that have written and wait.
  expect(most).toBeLessThanOrEqual(7);
  await set(scene, 'synchronous_standby_names', '');
  await expectBack(scene);
});

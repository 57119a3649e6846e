/** The wake-ups that processes on one database send each other. Each store here has its own connections, like a process. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import { generateSecret } from '../../../src/base/signature.ts';
import { createLog } from '../../../src/log.ts';
import type { Session } from '../../../src/postgres/session/session.ts';
import { createWakeUps } from '../../../src/postgres/session/wake-up.ts';
import { createPost } from '../../../src/sender/attempt.ts';
import { startScheduler } from '../../../src/sender/scheduler.ts';
import type { Topic } from '../../../src/storage/topic.ts';
import type { Store } from '../../../src/store/store.ts';
import { type FreshDatabase, freshDatabase } from '../../support/postgres/postgres-database.ts';
import { startProxy } from '../../support/postgres/proxy.ts';
import { stopClock } from '../../support/stopped-clock.ts';
import { openPostgres } from '../../support/store/postgres-engine.ts';
import { SQL } from '../../support/store/sql.ts';
import { until } from '../../support/until.ts';
import { createReceiver } from '../../support/webhooks/receiver.ts';

let database: FreshDatabase;
let sql: SQL;
let first: Store;
let second: Store;
beforeEach(async () => {
  database = await freshDatabase();
  sql = new SQL(database.url, { max: 1 });
  first = await openPostgres(database.url);
  second = await openPostgres(database.url);
});
afterEach(async () => {
  await Promise.all([first.close(), second.close()]);
  await sql.close({ timeout: 0 });
  await database[Symbol.asyncDispose]();
});

/** The processes of the server for the connections that listen. */
const listeners = async (): Promise<number[]> => {
  const rows: { pid: number }[] = await sql`
    SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN %' AND state = 'idle'`;
  return rows.map(({ pid }) => pid);
};

/** Subscribes, and waits until the store listens. Returns its later calls. */
const hear = async (store: Store): Promise<Topic[]> => {
  const before = await listeners();
  const heard: Topic[] = [];
  store.onNew((topic) => heard.push(topic));
  await until(async () => (await listeners()).some((pid) => !before.includes(pid)));
  return heard;
};

let nextId = 1n;
const create = (store: Store) => {
  nextId += 1n;
  return store.plants.create({ id: nextId, name: 'n' });
};
const addWebhook = (store: Store, url = 'https://receiver.example.com/') =>
  store.webhooks.create({ url, events: ['plant.created'], secret: generateSecret() });

test.each<[string, (store: Store) => Promise<unknown>, Topic]>([
  ['a plant', create, 'event'],
  ['a webhook', addWebhook, 'webhook'],
  ['an import', ({ plants }) => plants.putAll((put) => put([{ id: 0n, name: 'n' }], 'leave')), 'event'],
])('%s that one process writes wakes another one', async (_what, write, change) => {
  const heard = await hear(second);
  await write(first);
  await until(() => heard.length > 0);
  expect(heard).toEqual([change]);
});

test('a sender that joins wakes the others, which may have to release leases', async () => {
  const heard = await hear(first);
  await addWebhook(first);
  await second.leases.renew({ sender: 'second', released: new Set(), isLeaving: false });
  await until(() => heard.length === 2);
  expect(heard).toEqual(['webhook', 'webhook']);
  await second.leases.renew({ sender: 'second', released: new Set(), isLeaving: false });
  await create(second);
  await until(() => heard.length > 2);
  expect(heard).toEqual(['webhook', 'webhook', 'event']);
});

/** Whether two calls in a row have one result. */
const isSettled = async (store: Pick<Store, 'dataVersion'>): Promise<boolean> => {
  const version = await store.dataVersion();
  return (await store.dataVersion()) === version;
};

test('the version of the data changes at each call until notifications can be heard', async () => {
  expect(await isSettled(second)).toBe(false);
  await hear(second);
  await until(() => isSettled(second));
  const name = new URL(database.url).pathname.slice(1);
  await using other = new SQL(String(new URL('/postgres', database.url)), { max: 1 });
  const allow = (isAllowed: boolean) => other.unsafe(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${isAllowed}`);
  await allow(false);
  await sql`SELECT pg_terminate_backend(${(await listeners())[0]})`;
  await until(async () => !(await isSettled(second)));
  await allow(true);
  await until(() => isSettled(second));
});

test.each([
  ['a server that sends its notifications', false, true, true],
  ['a server that accepts LISTEN and sends nothing', false, false, false],
  ['a node of Citus, which sends those of its own clients alone', true, true, false],
])('the version of the data with %s', async (_what, isCitus, sends, settles) => {
  let hearOwn = (_payload: string): void => {};
  const query = async (_text: string, [payload]: readonly unknown[] = []) => {
    if (payload !== undefined && sends) hearOwn(`${payload}`);
    return [{ channel: 'plant_store_1' }];
  };
  const session = { query, isCitus, isPooled: false } as unknown as Session;
  const wakeUps = createWakeUps(
    (read) => read(session),
    async (_channel, onHeard) => {
      hearOwn = onHeard;
      return { ended: new Promise(() => {}), close: () => {}, sinceMs: 0 };
    },
  );
  wakeUps.subscribe(() => {});
  for (let turn = 0; turn < 10; turn += 1) await setImmediate();
  expect(await isSettled(wakeUps)).toBe(settles);
  await wakeUps.close();
});

// A test cannot stop the clock of other runtimes.
test.skipIf(!('bun' in process.versions))(
  'the version of the data changes after five seconds, since a notification can be lost',
  async () => {
    await hear(second);
    await until(() => isSettled(second));
    using clock = stopClock();
    const nextVersion = async (): Promise<bigint> => {
      const version = await second.dataVersion();
      while ((await second.dataVersion()) === version) await clock.pass(10);
      return second.dataVersion();
    };
    const version = await nextVersion();
    await clock.pass(4990);
    expect(await second.dataVersion()).toBe(version);
    await clock.pass(10);
    expect(await second.dataVersion()).not.toBe(version);
  },
);

test('a process does not wake itself by its own notification', async () => {
  const heard = [await hear(first), await hear(second)];
  await create(first);
  await until(() => heard[1]?.length === 1);
  // Notifications arrive in order: this one comes after its own.
  await addWebhook(second);
  await until(() => heard[0]?.includes('webhook') ?? false);
  expect(heard).toEqual([
    ['event', 'webhook'],
    ['event', 'webhook'],
  ]);
});

// A test cannot stop the timers of node:timers on other runtimes.
test.skipIf(!('bun' in process.versions))(
  'changes within ten milliseconds of a notification share the next one',
  async () => {
    const heard = await hear(second);
    {
      using clock = stopClock();
      for (let round = 0; round < 10; round += 1) await Promise.all(Array.from({ length: 20 }, () => create(first)));
      await addWebhook(first);
      while (heard.length === 0) await second.plants.count();
      await clock.pass(9);
      for (let round = 0; round < 10; round += 1) await second.plants.count();
      expect(heard).toEqual(['event']);
      await clock.pass(1);
    }
    await until(() => heard.includes('webhook'));
    expect(heard).toEqual(['event', 'event', 'webhook']);
  },
);

test('changes during a notification share the next one', async () => {
  const heard = await hear(second);
  const startMs = performance.now();
  for (let round = 0; round < 50; round += 1) await Promise.all(Array.from({ length: 20 }, () => create(first)));
  await addWebhook(first);
  await until(() => heard.includes('webhook'));
  // At most one in ten milliseconds, for a thousand changes: a slow machine has time for more of them.
  expect(heard.length).toBeLessThanOrEqual((performance.now() - startMs) / 10 + 2);
});

test('a flood of notifications on the channel is one wake-up for those that arrive together', async () => {
  const heard = await hear(second);
  const notifications = 20_000;
  await sql`
    SELECT count(pg_notify('plant_store_' || oid, number || ' event'))
    FROM pg_namespace, generate_series(1, ${notifications}::int) AS number WHERE nspname = current_schema()`;
  // Notifications arrive in order: this one comes after the flood.
  await addWebhook(first);
  await until(() => heard.includes('webhook'));
  expect(heard[0]).toBe('event');
  expect(heard.length).toBeLessThan(notifications / 20);
});

test('a store sends its last wake-up before it closes', async () => {
  const heard = await hear(second);
  await addWebhook(first);
  await first.close();
  await until(() => heard.length > 0);
  expect(heard).toEqual(['webhook']);
});

test('stores in two schemas of one database do not wake each other', async () => {
  await sql`CREATE SCHEMA IF NOT EXISTS other`;
  const url = `${database.url}?options=-c%20search_path%3Dother`;
  const [one, two] = [await openPostgres(url), await openPostgres(url)];
  const [here, there] = [await hear(first), await hear(two)];
  await addWebhook(one);
  await until(() => there.length === 1);
  await create(second);
  await until(() => here.length > 0);
  expect({ here, there }).toEqual({ here: ['event'], there: ['webhook'] });
  await Promise.all([one.close(), two.close()]);
  await sql`DROP SCHEMA other CASCADE`;
});

test('only a store with subscribers has a listening connection, and only one', async () => {
  await create(first);
  expect(await listeners()).toEqual([]);
  await hear(first);
  first.onNew(() => {});
  expect(await listeners()).toHaveLength(1);
});

test('a listening connection that the server closes is replaced, and its subscribers are called for possibly missed changes', async () => {
  const heard = await hear(second);
  const [before] = await listeners();
  await sql`SELECT pg_terminate_backend(${before})`;
  await until(() => heard.length === 2);
  expect(heard).toEqual(['event', 'webhook']);
  expect(await listeners()).not.toEqual([before ?? 0]);
  await create(first);
  await until(() => heard.length === 3);
});

test('a process sends to a webhook immediately when another process writes the event, without the poll', async () => {
  using receiver = createReceiver();
  await addWebhook(first, receiver.url);
  const scheduler = startScheduler({
    store: second,
    post: createPost({ allowPrivate: true }),
    log: createLog('silent'),
    pollMs: 60 * 60 * 1000,
  });
  await until(async () => (await listeners()).length === 1);
  for (let count = 1; count <= 3; count += 1) {
    await create(first);
    await receiver.got(count);
  }
  await scheduler.stop(0);
});

test('a store closes although the network has stopped a wake-up', async () => {
  await using proxy = await startProxy(database.url);
  const [store, other] = [await openPostgres(proxy.url), await openPostgres(proxy.url)];
  await other.plants.count();
  await hear(store);
  await create(store);
  // The wake-up is sent after the turn in which the plant was created.
  proxy.forget();
  // A read has a time limit of its own.
  const read = other.plants.count().catch(() => {});
  expect(await Promise.race([store.close().then(() => 'closed'), read.then(() => 'read')])).toBe('closed');
  await read;
  await other.close();
});

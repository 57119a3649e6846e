/** Stores behind pgbouncer, which gives a server session to one client after the other. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { SQL } from 'bun';
import { postgres } from '#runtime/postgres/driver';
import { generateSecret } from '../../src/base/signature.ts';
import { openExclusivePostgres } from '../../src/postgres/copy.ts';
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { openPostgresStore } from '../../src/postgres/open.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import { connect } from '../../src/postgres/session/connect.ts';
import {
  createReconnectingSession,
  type ReconnectingSession,
} from '../../src/postgres/session/reconnecting-session.ts';
import { setUp } from '../../src/postgres/session/session.ts';
import type { Topic } from '../../src/storage/topic.ts';
import type { Store } from '../../src/store/store.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { type Pgbouncer, pgbouncer, startPgbouncer } from '../support/postgres/pgbouncer.ts';
import { bareDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';
import { startProxy } from '../support/postgres/proxy.ts';
import { runCommand } from '../support/programs/command.ts';
import { startServer } from '../support/programs/process.ts';
import { openPostgres } from '../support/store/postgres-engine.ts';
import { createReceiver } from '../support/webhooks/receiver.ts';

const poolSize = 3;

/** A URL through a pooler that it does not name. */
const unnamed = (url: string): string => {
  const changed = new URL(url);
  changed.searchParams.delete('pooler');
  return changed.href;
};

/** A store behind a pooler that the URL does not name works, and has found it. */
const expectFound = async (url: string): Promise<void> => {
  let found = 0;
  const store = openPostgresStore(addressesOf(parsePostgresUrl(url)), {
    onPooled: () => {
      found += 1;
    },
  });
  await store.opened;
  for (const id of [7000n, 7001n]) await store.plants.create({ id, name: 'n' });
  expect(await store.plants.get(7001n)).toMatchObject({ name: 'n' });
  expect(found).toBe(1);
  await store.close();
};

let database: TestDatabase;
let pooler: Pgbouncer;
/** A session that is not pooled. */
let direct: SQL;

describe.skipIf(pgbouncer === undefined)('behind a transaction pooler (skipped without pgbouncer)', () => {
  beforeAll(async () => {
    database = await bareDatabase();
    direct = new SQL(database.url, { max: 1 });
    pooler = await startPgbouncer(database.url, 'transaction', { default_pool_size: `${poolSize}` });
  });
  afterAll(async () => {
    await pooler[Symbol.asyncDispose]();
    await direct.close({ timeout: 0 });
    await database[Symbol.asyncDispose]();
  });

  /** What each session of the server shows, all of which other clients have at the same time. */
  const showAll = (query: string): Promise<unknown[]> => {
    const clients = Array.from({ length: poolSize }, () => new SQL({ url: pooler.url, max: 1, prepare: false }));
    const all = Promise.withResolvers<void>();
    let begun = 0;
    const show = async (client: SQL): Promise<unknown> => {
      const [row] = await client.begin(async (sql) => {
        const rows = await sql.unsafe(query).simple();
        begun += 1;
        if (begun === poolSize) all.resolve();
        await all.promise;
        return rows;
      });
      await client.close();
      return row;
    };
    return Promise.all(clients.map(show));
  };

  test('another client of the pooler sees no setting and no lock of a store', async () => {
    const settings = ['lock_timeout', 'idle_in_transaction_session_timeout', 'plan_cache_mode', 'synchronous_commit'];
    const query = `SELECT ${settings.map((name) => `current_setting('${name}') AS ${name}`).join()},
      (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks,
      (SELECT count(*)::int FROM pg_prepared_statements) AS statements,
      (SELECT count(*)::int FROM pg_listening_channels()) AS channels`;
    const untouched = await showAll(query);
    const store = await openPostgres(pooler.url);
    store.onNew(() => {});
    await Promise.all(Array.from({ length: 50 }, (_, n) => store.plants.create({ id: BigInt(n), name: 'n' })));
    await Promise.all(Array.from({ length: 50 }, (_, n) => store.plants.get(BigInt(n))));
    await store.plants.update(1n, { name: 'm' });
    expect(await showAll(query)).toEqual(untouched);
    await store.close();
  });

  test('two stores whose statements have the same names work at the same time', async () => {
    const one = await openPostgres(pooler.url);
    const two = await openPostgres(pooler.url);
    const work = async (store: Store, from: number): Promise<void> => {
      for (let n = from; n < from + 40; n += 1) {
        const id = BigInt(n);
        await store.plants.create({ id, name: 'n' });
        await Promise.all([store.plants.update(id, { name: `${n}` }), store.plants.list({ limit: 5 })]);
        if (n % 2 === 0) await store.plants.delete(id);
      }
    };
    await Promise.all([work(one, 1000), work(two, 2000)]);
    for (const id of [1001n, 2001n]) expect(await one.plants.get(id)).toMatchObject({ name: `${id}` });
    expect(await two.plants.get(1002n)).toBeUndefined();
    await Promise.all([one.close(), two.close()]);
  });

  test('a pooler that the URL does not name is found, also while other clients use it', async () => {
    let isBusy = true;
    const clients = Array.from({ length: 6 }, () => new SQL({ url: pooler.url, max: 1, prepare: false }));
    const working = clients.map(async (client) => {
      while (isBusy) await client.unsafe('BEGIN; SELECT pg_sleep(random() * 0.004); COMMIT').simple();
      await client.close();
    });
    for (let round = 0; round < 10; round += 1) await expectFound(unnamed(pooler.url));
    isBusy = false;
    await Promise.all(working);
    const named = `${unnamed(pooler.url)}?application_name=a%20gardener's%20%5C`;
    await expectFound(named);
  });

  test('a URL that does not name the pooler leaves no setting and no lock in the sessions of the pooler', async () => {
    const query = `SELECT current_setting('lock_timeout') AS lock_timeout,
      (SELECT count(*)::int FROM pg_locks WHERE locktype = 'advisory' AND pid = pg_backend_pid()) AS locks`;
    const untouched = await showAll(query);
    for (let round = 0; round < 10; round += 1) await expectFound(unnamed(pooler.url));
    expect(await showAll(query)).toEqual(untouched);
  });

  test.each(['plant-store', 'another'])(
    'it is found when the user has %s as the setting of the application name',
    async (name) => {
      const { username, pathname } = new URL(database.url);
      await direct.unsafe(`ALTER ROLE ${username} IN DATABASE ${pathname.slice(1)} SET application_name = '${name}'`);
      await using fresh = await startPgbouncer(database.url, 'transaction');
      await expectFound(unnamed(fresh.url));
    },
  );

  test.each(['before', 'after'] as const)(
    'a creation is done once when the connection breaks %s the server receives its COMMIT',
    async (how) => {
      await using proxy = await startProxy(pooler.url);
      const store = await openPostgres(proxy.url);
      const id = how === 'before' ? 3000n : 3001n;
      const broken = proxy.breakAt(/^COMMIT/, how);
      await store.plants.create({ id, name: 'n' });
      await broken;
      const events = await direct`SELECT type FROM events WHERE plant_id = ${id}`.values();
      expect(events.flat()).toEqual(['plant.created']);
      await store.close();
    },
  );

  test.concurrent('a change that waits for a lock of another session is refused within three seconds', async () => {
    const store = await openPostgres(pooler.url);
    await store.plants.create({ id: 4000n, name: 'n' });
    await direct.begin(async (sql) => {
      await sql`SELECT FROM plants WHERE id = 4000 FOR UPDATE`;
      const refused = expect(store.plants.update(4000n, { name: 'm' })).rejects.toMatchObject({ code: 'unavailable' });
      expectPace('the refusal', await idleMs(Promise.resolve(refused)), 3000);
    });
    await store.close();
  });

  test('copy refuses the pooler, and reports that it needs the server', async () => {
    await expect(openExclusivePostgres(addressesOf(parsePostgresUrl(pooler.url)), { create: true })).rejects.toThrow(
      'copy locks the database. It needs the URL of the server, or that of a session pooler with pooler=session.',
    );
  });

  test.concurrent('while a copy has locked the database, no store changes it', async () => {
    const store = await openPostgres(pooler.url);
    await store.plants.count();
    const whole = await openExclusivePostgres(addressesOf(parsePostgresUrl(database.url)), { create: false });
    await expect(store.plants.create({ id: 5000n, name: 'n' })).rejects.toMatchObject({ code: 'unavailable' });
    await whole[Symbol.asyncDispose]();
    await store.plants.create({ id: 5000n, name: 'n' });
    await store.close();
  });

  test('serve sends the event of another process after its poll', async () => {
    using receiver = createReceiver();
    const env = { WEBHOOK_ALLOW_PRIVATE: 'true' };
    await using running = await startServer(pooler.url, { env });
    const others = await openPostgres(pooler.url);
    await others.webhooks.create({ url: receiver.url, events: ['plant.created'], secret: generateSecret() });
    await others.plants.create({ id: 6000n, name: 'n' });
    await receiver.got(1);
    await others.close();
    const { exitCode } = await runCommand(['token', 'list', '--database', pooler.url]);
    expect(exitCode).toBe(0);
    running.kill();
    expect(await running.exited).toBe(0);
  });
});

describe.skipIf(pgbouncer === undefined)('behind a session pooler (skipped without pgbouncer)', () => {
  test('a store with a session pooler works as with the server, and gets wake-ups', async () => {
    await using database = await bareDatabase();
    await using pooler = await startPgbouncer(database.url, 'session');
    await expectFound(unnamed(pooler.url));
    const one = await openPostgres(pooler.url);
    const two = await openPostgres(pooler.url);
    const heard: Topic[] = [];
    two.onNew((topic) => heard.push(topic));
    for (let id = 1n; heard.length === 0; id += 1n) await one.plants.create({ id, name: 'n' });
    await expect(openExclusivePostgres(addressesOf(parsePostgresUrl(pooler.url)), { create: false })).rejects.toThrow(
      'The database is in use.',
    );
    await Promise.all([one.close(), two.close()]);
  });
});

test('a session with another application name is behind a pooler', async () => {
  await using database = await bareDatabase();
  const [address] = addressesOf(parsePostgresUrl(database.url));
  if (!address) throw new Error('The URL has no host.');
  const { opened, close } = postgres.connect({ ...address, applicationName: 'a pooler' });
  const sql = await opened;
  expect(await setUp(sql, address)).toEqual({ isPooled: true, isCitus: false });
  expect(await setUp(sql, { ...address, pooler: 'session' })).toEqual({ isPooled: false, isCitus: false });
  close();
});

test('a prepared statement whose name is taken names the parameter that the URL lacks', async () => {
  await using database = await bareDatabase();
  const connectTo = (url: string) =>
    createReconnectingSession(
      () => connect(addressesOf(parsePostgresUrl(url)), async () => {}),
      () => {},
    );
  const select = (session: ReconnectingSession) =>
    session.run(({ query }) => query('SELECT $1::int AS n', [1]), performance.now() + 5000);
  // These are the names that the clients give.
  const others = Array.from({ length: 10 }, (_, n) => `PREPARE "P${n}" AS SELECT 2`);
  const hide = (session: ReconnectingSession) =>
    session.run(({ simple }) => simple(others.join(';')), performance.now() + 5000);
  const unaware = connectTo(database.url);
  await hide(unaware);
  await expect(select(unaware)).rejects.toThrow(
    'A pooler gives the server session to other clients. Add pooler=transaction to the URL.',
  );
  unaware.close();
  const aware = connectTo(`${database.url}?pooler=transaction`);
  await hide(aware);
  expect([...(await select(aware))]).toEqual([{ n: 1 }]);
  aware.close();
});

/** Processes that read from a standby: a primary, a standby whose replay the tests pause, and an app on each. */
import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test';
import { appendFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { createApp } from '../../src/app/app.ts';
import { openStore } from '../../src/cli/database.ts';
import { eventIdOf } from '../../src/events/event.ts';
import { createLog } from '../../src/log.ts';
import { asJson, errorOf, jsonOf, type SendOptions, type TestApp } from '../support/app/app.ts';
import { configOf } from '../support/app/config.ts';
import { openPostgresApp } from '../support/app/postgres-app.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { copyTemplate } from '../support/postgres/postgres-cluster.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/postgres-server.ts';
import { runCommand } from '../support/programs/command.ts';
import { startServer } from '../support/programs/process.ts';
import { asStream, readFrames } from '../support/streams/event-stream.ts';
import { until } from '../support/until.ts';

let primary: PostgresServer;
let standby: PostgresServer;
let onStandby: SQL;
let writer: TestApp & AsyncDisposable;
let reader: Awaited<ReturnType<typeof openReader>>;

beforeAll(async () => {
  [primary, standby] = await Promise.all([startPostgres(), startPostgres()]);
  writer = await openPostgresApp(primary.url);
  await follow(standby, primary);
  onStandby = new SQL(standby.url, { max: 1 });
  reader = await openReader(standby.url);
});
beforeEach(resume);
afterAll(async () => {
  await Promise.all([writer[Symbol.asyncDispose](), reader[Symbol.asyncDispose](), onStandby.close()]);
  await Promise.all([primary, standby].map((server) => server[Symbol.asyncDispose]()));
});

/** Makes a standby from the data of the primary while it is stopped: the npm package has no pg_basebackup. */
const follow = async (standby: PostgresServer, { folder, port, stop, start }: PostgresServer): Promise<void> => {
  const data = join(standby.folder, 'data');
  await Promise.all([standby.kill(), stop()]);
  rmSync(data, { recursive: true });
  copyTemplate(join(folder, 'data'), data);
  writeFileSync(join(data, 'standby.signal'), '');
  appendFileSync(join(data, 'postgresql.auto.conf'), `primary_conninfo = 'host=127.0.0.1 port=${port} user=plant'\n`);
  await Promise.all([start(), standby.start()]);
};

/** The app of `serve --read-only`, with the token of the writer. */
const openReader = async (url: string) => {
  const config = await configOf(url, { readOnly: true });
  const store = openStore(config);
  await store.opened;
  const { fetch } = createApp({ store, config, log: createLog('silent') });
  return {
    store,
    send: async (method: string, path: string, { headers, ...init }: SendOptions = {}): Promise<Response> => {
      const authorization = `Bearer ${writer.token}`;
      return fetch(new Request(`http://localhost${path}`, { method, headers: { authorization, ...headers }, ...init }));
    },
    [Symbol.asyncDispose]: () => store.close(),
  };
};

async function pause(): Promise<void> {
  await onStandby`SELECT pg_wal_replay_pause()`;
  await until(async () => (await onStandby`SELECT pg_get_wal_replay_pause_state() AS state`)[0].state === 'paused');
}

async function resume(): Promise<void> {
  await onStandby`SELECT pg_wal_replay_resume()`;
  const head = await writer.store.events.head();
  await until(async () => (await reader.store.events.head()) >= head);
}

let ids = 0;
/** Creates a plant at the primary. Returns its path, and the header for reads that must include it. */
const create = async ({ send }: Pick<TestApp, 'send'> = writer) => {
  ids += 1;
  const id = ids;
  const response = await send('POST', '/plants', { headers: asJson, body: `{"id":${id},"name":"n"}` });
  return { path: `/plants/${id}`, ...positionOf(response) };
};
const positionOf = ({ status, headers }: Response) => {
  const position = headers.get('x-log-position') ?? `none with ${status}`;
  return { position, headers: { 'x-min-log-position': position } };
};

test('a read with the position of a change waits for it, and one without does not', async () => {
  // A busy machine may resume the replay after the 100 ms that a read waits.
  await until(async () => {
    await pause();
    const { path, headers } = await create();
    const reading = reader.send('GET', path, { headers });
    // It is sent later, so that the first one has begun to wait.
    expect((await reader.send('GET', path)).status).toBe(404);
    await resume();
    const { status } = await reading;
    expect(status).toBeOneOf([200, 503]);
    return status === 200;
  });
});

test('a read gets 503 with Retry-After when its standby is behind for 100 ms, and nothing else waits', async () => {
  await pause();
  const { path, headers } = await create();
  const startedAtMs = performance.now();
  const reading = reader.send('GET', path, { headers });
  const waited = idleMs(reading);
  const refused = await reading;
  expect(performance.now() - startedAtMs).toBeGreaterThan(95);
  expect(refused.headers.get('retry-after')).toBe('1');
  expect(await errorOf(refused)).toBe(50300);
  expectPace('the refusal', await waited, 1000);
  expect((await reader.send('GET', '/plants')).status).toBe(200);
  await resume();
  expect((await reader.send('GET', path, { headers })).status).toBe(200);
});

test('no read with the position of a change is older than the change, under load', async () => {
  const wrong: string[] = [];
  const change = async () => {
    for (let count = 0; count < 50; count += 1) {
      const { path, headers } = await create();
      if ((await reader.send('GET', path, { headers })).status !== 200) wrong.push(`created ${path}`);
      const patch = { headers: asJson, body: `{"tag":"${count}"}` };
      const patched = positionOf(await writer.send('PATCH', path, patch));
      const { tag } = await jsonOf(await reader.send('GET', path, patched));
      if (tag !== `${count}`) wrong.push(`patched ${path}`);
      const deleted = positionOf(await writer.send('DELETE', path));
      if ((await reader.send('GET', path, deleted)).status !== 404) wrong.push(`deleted ${path}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, change));
  expect(wrong).toEqual([]);
});

test('a change without an effect has the position of what another process has written', async () => {
  await using other = await openPostgresApp(primary.url);
  const before = await create(other);
  const { path, position } = await create();
  const body = `{"id":${path.split('/').at(-1)},"name":"n"}`;
  const repeated = await other.send('POST', '/plants', { headers: asJson, body });
  expect(BigInt(positionOf(repeated).position)).toBeGreaterThanOrEqual(BigInt(position));
  const next = await create();
  await using third = await openPostgresApp(primary.url);
  const unchanged = await third.send('PATCH', before.path, { headers: asJson, body: '{}' });
  expect(BigInt(positionOf(unchanged).position)).toBeGreaterThanOrEqual(BigInt(next.position));
});

test('the id of an event is a position too, in a page and in a stream', async () => {
  await pause();
  const { position } = await create();
  const [newest] = (await writer.store.events.read(BigInt(position) - 1n, 1)).events;
  const eventId = newest ? eventIdOf(newest) : '';
  expect(await errorOf(await reader.send('GET', `/events?after=${eventId}`))).toBe(50300);
  const resumed = { headers: { ...asStream, 'last-event-id': eventId } };
  expect(await errorOf(await reader.send('GET', '/events', resumed))).toBe(50300);
  await resume();
  expect(await jsonOf(await reader.send('GET', `/events?after=${eventId}`))).toEqual([]);
  const stream = readFrames(await reader.send('GET', '/events', resumed));
  const { path } = await create();
  const [frame] = await stream.frames(1);
  expect(`/plants/${frame?.data.id}`).toBe(path);
  await stream.cancel();
  expect(standby.log()).not.toContain('LISTEN');
});

test.each(['x', '1.5', '01', '-', '9223372036854775808'])('the position %s is refused', async (position) => {
  const response = await reader.send('GET', '/plants', { headers: { 'x-min-log-position': position } });
  expect(await errorOf(response)).toBe(40002);
});

test('a process that only reads has only operations that change nothing, and its document has no others', async () => {
  const response = await reader.send('POST', '/plants', { headers: asJson, body: '{"id":1,"name":"n"}' });
  expect(response.headers.get('allow')).toBe('GET, HEAD, OPTIONS');
  expect(await errorOf(response)).toBe(40500);
  expect(await errorOf(await reader.send('DELETE', '/plants/1'))).toBe(40500);
  expect(await errorOf(await reader.send('POST', '/webhooks/a/test'))).toBe(40401);
  const document = await jsonOf(await reader.send('GET', '/openapi.json'));
  for (const [path, item] of Object.entries<Record<string, { parameters: { name: string }[]; responses: object }>>(
    document.paths,
  )) {
    const { parameters: _, ...operations } = item;
    expect([path, Object.keys(operations)]).toEqual([path, ['get']]);
    expect(operations['get']?.parameters.map(({ name }) => name)).toContain('X-Min-Log-Position');
    expect(Object.keys(operations['get']?.responses ?? {})).toContainValues(['400', '503']);
    const query = path === '/deliveries' ? '?state=failed' : '';
    if (!path.includes('{')) expect([path, (await reader.send('GET', path + query)).status]).toEqual([path, 200]);
  }
});

test('a token is refused once its revocation is replayed', async () => {
  await using other = await openPostgresApp(primary.url);
  const send = () => reader.send('GET', '/token', { headers: { authorization: `Bearer ${other.token}` } });
  await until(async () => (await send()).status === 200);
  await pause();
  await writer.store.tokens.revoke((await writer.store.tokens.list()).at(-1)?.id ?? '');
  expect((await send()).status).toBe(200);
  await resume();
  await until(async () => (await send()).status === 401);
});

test('a new connection to a server that is behind an earlier answer is not used', async () => {
  await using sql = new SQL(primary.url, { max: 1 });
  await using own = await openReader(primary.url);
  const { path, position, headers } = await create();
  expect((await own.send('GET', path, { headers })).status).toBe(200);
  const setHead = (sequence: number) => sql`UPDATE log_head SET sequence = ${sequence}`;
  await setHead(Number(position) - 1);
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND usename = 'plant'`;
  expect(await errorOf(await own.send('GET', '/plants'))).toBe(50300);
  await setHead(Number(position));
  await until(async () => (await own.send('GET', '/plants')).status === 200);
});

test('a store that only reads creates no tables and writes nothing, also on a primary', async () => {
  await using sql = new SQL(primary.url, { max: 1 });
  await sql`CREATE DATABASE bare`;
  const bare = primary.url.replace(/postgres$/, 'bare');
  await expect(openReader(bare)).rejects.toThrow('run serve or migrate first');
  await using own = await openReader(primary.url);
  await expect(own.store.plants.create({ id: 0n, name: 'n' })).rejects.toThrow('cannot write');
});

test.each(['a.sqlite', 'postgres://u@a,b/d'])('serve --read-only refuses %s', async (database) => {
  const { exitCode, stderr } = await runCommand(['serve', '--read-only', '--port', '0', '--database', database]);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 1,
    stderr: 'plant-store: READ_ONLY requires a DATABASE_URL of PostgreSQL with one server.\n',
  });
});

test('serve --read-only serves a standby, and goes on when it is promoted', async () => {
  await using server = await startServer(standby.url, { args: ['--read-only'] });
  const { path, headers } = await create();
  const get = () => fetch(server.url + path, { headers: { authorization: `Bearer ${writer.token}`, ...headers } });
  expect((await get()).status).toBe(200);
  await primary.stop();
  await onStandby`SELECT pg_promote()`;
  await using promoted = await openPostgresApp(standby.url);
  const later = await create(promoted);
  const response = await fetch(server.url + later.path, {
    headers: { authorization: `Bearer ${promoted.token}`, ...later.headers },
  });
  expect(response.status).toBe(200);
  expect((await get()).status).toBe(200);
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  server.kill();
  expect(await server.exited).toBe(0);
});

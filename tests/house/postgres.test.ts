/** The PostgreSQL server that the tests use: it ends with the tests, and each test gets an empty database. */

import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { bareDatabase, freshDatabase, testServerUrl } from '../support/postgres/postgres-database.ts';
import { type PostgresServer, startPostgres } from '../support/postgres/postgres-server.ts';
import { openPostgres } from '../support/store/postgres-engine.ts';
import { readUntil, until } from '../support/until.ts';

const canConnect = async (port: number): Promise<boolean> => {
  try {
    (await Bun.connect({ hostname: '127.0.0.1', port, socket: { data: () => {} } })).end();
    return true;
  } catch {
    return false;
  }
};

/** The processes that made a segment of shared memory (proc_sysvipc(5)). Empty on a system without this file. */
const makersOfSegments = (): string[] =>
  existsSync('/proc/sysvipc/shm')
    ? readFileSync('/proc/sysvipc/shm', 'utf8')
        .split('\n')
        .map((line) => line.trim().split(/\s+/)[4] ?? '')
    : [];

test('when a test process is killed, its server ends, even if it is frozen, and leaves neither its folder nor memory', async () => {
  const program = `
    const { startPostgres } = await import(${JSON.stringify(join(import.meta.dir, '../support/postgres/postgres-server.ts'))});
    const server = await startPostgres();
    server.freeze();
    console.log(JSON.stringify({ folder: server.folder, port: server.port }) + ';');
    await Bun.sleep(60_000);`;
  const child = Bun.spawn([process.execPath, '-e', program], { stdout: 'pipe', stderr: 'inherit' });
  const { folder, port } = JSON.parse((await readUntil(child.stdout.getReader(), ';')).replace(';', ''));
  expect([existsSync(folder), await canConnect(port)]).toEqual([true, true]);
  const [pid = ''] = readFileSync(join(folder, 'data/postmaster.pid'), 'utf8').split('\n');
  if (process.platform === 'linux') expect(makersOfSegments()).toContain(pid);
  // The rest of its shared memory is in its folder.
  expect(readdirSync(join(folder, 'data/pg_dynshmem'))).not.toBeEmpty();
  child.kill('SIGKILL');
  await until(async () => !existsSync(folder) && !(await canConnect(port)));
  expect(makersOfSegments()).not.toContain(pid);
});

describe('a separate server', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server[Symbol.asyncDispose]());

  const query = async (text: string) => {
    await using sql = new SQL(server.url, { max: 1 });
    return [...(await sql.unsafe(text).values())];
  };

  test('a server that was killed or stopped starts again on the same port with the same data', async () => {
    await query('create table t (a integer); insert into t values (1)');
    await server.kill();
    expect(await canConnect(server.port)).toBe(false);
    await server.start();
    expect(await query('select a from t')).toEqual([[1]]);
    await server.stop();
    expect(await canConnect(server.port)).toBe(false);
    await server.start({ default_transaction_read_only: 'on' });
    expect(await query('select a from t')).toEqual([[1]]);
    await expect(query('insert into t values (2)')).rejects.toMatchObject({ errno: '25006' });
  });

  test('a frozen server does not respond, and responds to pending queries after it is thawed', async () => {
    await using sql = new SQL(server.url, { max: 1 });
    await sql`select 1`;
    server.freeze();
    const pending = sql`select 2 as a`.then(([row]) => row.a);
    await using other = new SQL(await testServerUrl(), { max: 1 });
    expect(await Promise.race([pending, other`select 3`.then(() => 'nothing')])).toBe('nothing');
    server.thaw();
    expect(await pending).toBe(2);
  });
});

test('a server that cannot start reports the reason', async () => {
  await expect(startPostgres({ max_connections: 'many' })).rejects.toThrow('max_connections');
});

test.each([1, 2000])('a fresh database has none of the %d events of the previous test', async (sequence) => {
  let earlier: SQL | undefined;
  for (const isFirst of [true, false]) {
    await using database = await freshDatabase();
    // This creates the tables if they do not exist.
    await (await openPostgres(database.url)).close();
    const sql = new SQL(database.url, { max: 1 });
    expect(await sql`select * from events`.values()).toHaveLength(0);
    expect([...(await sql`select sequence::int from log_head`.values())]).toEqual([[0]]);
    if (isFirst) {
      earlier = sql;
      await sql.unsafe(`insert into events (sequence, type, timestamp) values (1, 'plant.created', '2026-01-01')`);
      await sql`update log_head set sequence = ${sequence}`;
      // A transaction that the test leaves open.
      await sql.unsafe('begin; update events set name = null');
    } else await sql.close();
  }
  await earlier?.close();
});

test('concurrent tests get different databases, and a bare database has no tables', async () => {
  await using one = await freshDatabase();
  await using other = await freshDatabase();
  await using bare = await bareDatabase();
  expect(new Set([one.url, other.url, bare.url]).size).toBe(3);
  await using sql = new SQL(bare.url, { max: 1 });
  expect(await sql`select from pg_tables where schemaname = 'public'`.values()).toHaveLength(0);
});

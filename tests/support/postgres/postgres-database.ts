/**
 * Databases for tests. Emptying one takes less than a millisecond, creating one about 50. So all test processes
 * reuse them. Each process claims its databases by an advisory lock, which ends with its connection.
 */
import { hash } from 'node:crypto';
import postgresMigrations from '../../../src/postgres/db/migrations.json' with { type: 'json' };
import { SQL } from '../store/sql.ts';
import { connectNodes } from './citus.ts';
import type { PostgresServer } from './postgres-server.ts';
import { startTestServer } from './test-server.ts';

export interface TestDatabase extends AsyncDisposable {
  readonly url: string;
}

/** Returns an empty database, with the tables if a store was opened on it before. Use with `await using`. */
export const freshDatabase = async (): Promise<FreshDatabase> => {
  const database = idle.pop() ?? (await claim());
  // Open transactions of an earlier test must not lock its rows.
  await endOthers(database.sql);
  await empty(database.sql);
  return {
    url: throughPooler(database.url),
    empty: () => empty(database.sql),
    [Symbol.asyncDispose]: async () => void idle.push(database),
  };
};

export interface FreshDatabase extends TestDatabase {
  /** Removes all rows, for another test. */
  empty(): Promise<void>;
}

/** Creates a database that has no tables, and is dropped after use. Use with `await using`. */
export const bareDatabase = async (): Promise<TestDatabase> => {
  const server = await testServer();
  const name = `plant_store_bare_${crypto.randomUUID().replaceAll('-', '')}`;
  await create(server.sql, name);
  return {
    url: urlOf(server.url, name),
    [Symbol.asyncDispose]: async () => void (await server.sql.unsafe(`drop database ${name} with (force)`)),
  };
};

interface Connected {
  readonly url: string;
  /** One connection. */
  readonly sql: SQL;
}

/** The databases that this process has claimed and no test is using. */
const idle: Connected[] = [];

let server: Promise<Connected> | undefined;
/** Kept, so that the garbage collector does not remove it. */
let ownServer: PostgresServer | undefined;

/** The URL of the server of all tests of this process, for tests in another process. */
export const testServerUrl = async (): Promise<string> => (await testServer()).url;

/** The server of `TEST_DATABASE_URL`, else one that ends with this process. */
const testServer = (): Promise<Connected> => {
  server ??= (async () => {
    const url = process.env['TEST_DATABASE_URL'];
    if (!url) ownServer = await startTestServer();
    return connect(url || (ownServer?.url ?? ''));
  })();
  return server;
};

const connect = (url: string): Connected => ({ url, sql: new SQL(url, { max: 1 }) });

/** The same database through the pooler of `TEST_POSTGRES_POOLER`, if there is one. */
const throughPooler = (database: string): string => {
  const pooler = process.env['TEST_POSTGRES_POOLER'];
  return pooler ? urlOf(pooler, new URL(database).pathname) : database;
};

const urlOf = (server: string, name: string): string => {
  const url = new URL(server);
  url.pathname = name;
  return url.href;
};

/** A server that outlives a run keeps its databases: those with other tables are not used again. */
const prefix = `plant_store_test_${hash('sha256', JSON.stringify(postgresMigrations)).slice(0, 12)}_`;
const lockClass = 0x706c616e;
/** The last one that this process has claimed: a process can acquire its own locks again. */
let claimed = 0;

const claim = async (): Promise<Connected> => {
  const { url, sql } = await testServer();
  for (;;) {
    claimed += 1;
    const name = prefix + claimed;
    const [row] = await sql`
      select pg_try_advisory_lock(${lockClass}, ${claimed}) as is_locked,
        exists (select from pg_database where datname = ${name}) as exists`;
    if (!row.is_locked) continue;
    if (!row.exists) await create(sql, name);
    return connect(urlOf(url, name));
  }
};

/** A copy of the files is cheaper than a copy through the log, which is the default. */
const create = async (sql: SQL, name: string): Promise<void> => {
  const statement = `create database ${name} template template0 encoding 'UTF8' strategy file_copy`;
  await sql.unsafe(statement);
  const workers = process.env['TEST_POSTGRES_CITUS']?.split(' ');
  if (!workers) return;
  for (const worker of workers) await runOnce(worker, statement);
  const { url } = await testServer();
  await connectNodes([url, ...workers].map((node) => urlOf(node, name)));
  await runOnce(urlOf(url, name), 'create schema garden');
  // For all sessions of the tests.
  await sql.unsafe(`alter database ${name} set search_path = garden`);
};

const runOnce = async (url: string, statement: string): Promise<void> => {
  await using once = new SQL(url, { max: 1 });
  await once.unsafe(statement);
};

/** Removing few rows is ten times as fast by `delete` as by `truncate`. */
const rowsMax = 1000;

/** A pooler still uses those that are idle. */
const endOthers = (sql: SQL): Promise<unknown> => sql`
  select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and pid <> pg_backend_pid()
    and (state <> 'idle' or ${!process.env['TEST_POSTGRES_POOLER']})`;

const empty = async (sql: SQL): Promise<void> => {
  const tables: { name: string }[] = await sql`
    select format('%I', tablename) as name
    from pg_tables where schemaname = current_schema() and tablename not in ('schema_migrations', 'log_head')`;
  if (tables.length === 0) return;
  const names = tables.map(({ name }) => name);
  const [head] = await sql`select sequence > ${rowsMax} as is_far from log_head`;
  const remove = head.is_far ? `truncate ${names.join()}` : names.map((name) => `delete from ${name}`).join(';');
  await sql.unsafe(`${remove}; update log_head set sequence = 0`);
};

import { afterEach, beforeEach, expect, test } from 'bun:test';
import postgresMigrations from '../../src/postgres/db/migrations.json' with { type: 'json' };
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { openPostgresStore } from '../../src/postgres/open.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import { connect } from '../../src/postgres/session/connect.ts';
import type { OpenOptions } from '../../src/store/engine.ts';
import { bareDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';
import { SQL } from '../support/store/sql.ts';
import { expectTracesFromNowOn, insertUntracedEvent } from '../support/store/traced-events.ts';

let database: TestDatabase;
let sql: SQL;
beforeEach(async () => {
  database = await bareDatabase();
  sql = new SQL(database.url, { max: 1 });
});
afterEach(async () => {
  await sql.close();
  await database[Symbol.asyncDispose]();
});

/** Opens a store and closes it. Resolves to the names of the migrations that it has applied. */
const start = async (options: OpenOptions = {}): Promise<readonly string[]> => {
  let applied: readonly string[] = [];
  const onMigrated = (names: readonly string[]): void => {
    applied = names;
  };
  const store = openPostgresStore(addressesOf(parsePostgresUrl(database.url)), { onMigrated, ...options });
  try {
    await store.opened;
  } finally {
    await store.close();
  }
  return applied;
};

const tables = async (): Promise<string[]> =>
  (await sql`SELECT tablename FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`.values()).flat();

test('when ten processes start at the same time, one creates the schema and the others use it', async () => {
  const applied = await Promise.all(Array.from({ length: 10 }, () => start()));
  const names = postgresMigrations.map(({ name }) => name);
  expect(applied.flat()).toEqual(names);
  expect((await sql`SELECT name FROM schema_migrations ORDER BY name`.values()).flat()).toEqual(names);
  expect((await sql`SELECT sequence FROM log_head`.values()).flat()).toEqual(['0']);
});

test('events from before the column traceparent have none, and the next one has its own', async () => {
  const addresses = addressesOf(parsePostgresUrl(database.url));
  const session = await connect(addresses, async () => {});
  await migrate(session, { create: true, migrations: postgresMigrations.slice(0, 2) });
  session.close();
  await sql.unsafe(insertUntracedEvent);
  await sql`UPDATE log_head SET sequence = 1`;
  await expectTracesFromNowOn(openPostgresStore(addresses, { upgrade: true }));
});

test('a database that is up to date is opened without a write', async () => {
  await start();
  await sql.unsafe(`ALTER DATABASE ${new URL(database.url).pathname.slice(1)} SET default_transaction_read_only = on`);
  expect(await start()).toEqual([]);
});

test('a command that creates no tables refuses a database without them, and leaves it empty', async () => {
  await expect(start({ create: false })).rejects.toThrow(
    'The database has no tables of this program; run serve or migrate first.',
  );
  expect(await tables()).toEqual([]);
});

test.each([
  ['a table of the same name', 'CREATE TABLE plants (id text)', 'has tables of another program'],
  ['migrations of another kind', 'CREATE TABLE schema_migrations (version text)', 'has tables of another program'],
])('a database with %s is refused and not changed', async (_, statement, words) => {
  await sql.unsafe(statement);
  const before = await tables();
  await expect(start()).rejects.toThrow(words);
  expect(await tables()).toEqual(before);
});

test.each([
  ["INSERT INTO schema_migrations VALUES ('9999_later', 'x', 'y')", 'was written by a newer version of this program'],
  [
    "UPDATE schema_migrations SET name = '0000_other' WHERE name = '0000_store'",
    'was written by another version of this program',
  ],
  ["UPDATE schema_migrations SET hash = 'x'", 'was migrated by an altered version of this program'],
])('a database after `%s` is refused, and is not reported as unavailable', async (statement, words) => {
  await start();
  await sql.unsafe(statement);
  const reasons: unknown[] = [];
  await expect(start({ onAway: (reason) => void reasons.push(reason) })).rejects.toThrow(words);
  expect(reasons).toEqual([]);
});

test('a store whose tables are removed while it is open reports that', async () => {
  const reasons: unknown[] = [];
  const store = openPostgresStore(addressesOf(parsePostgresUrl(database.url)), {
    onAway: (reason) => void reasons.push(reason),
  });
  await store.ping();
  await sql`DROP SCHEMA public CASCADE`.simple();
  await sql`CREATE SCHEMA public`.simple();
  await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()`;
  await expect(store.ping()).rejects.toThrow('The store cannot be read at the moment.');
  expect(reasons).toEqual(['The tables of this program are missing from the database.']);
  await store.close();
});

test('opening a database as a user who is not allowed to create tables fails with a message', async () => {
  const name = `reader_${crypto.randomUUID().replaceAll('-', '')}`;
  await sql.unsafe(`CREATE ROLE ${name} LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC`);
  const url = new URL(database.url);
  url.username = name;
  const store = openPostgresStore(addressesOf(parsePostgresUrl(url.href)));
  await expect(store.opened).rejects.toThrow('The user is not allowed to use the database, or to create tables in it.');
  await store.close();
  await sql.unsafe(`DROP ROLE ${name}`);
});

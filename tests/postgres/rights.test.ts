/** The user of the service loses its rights while the service runs: it refuses what it may not do, and works again with its rights, without a restart. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { openPostgresStore } from '../../src/postgres/open.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import type { Store } from '../../src/store/store.ts';
import { bareDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';
import { SQL } from '../support/store/sql.ts';
import { eventually } from '../support/until.ts';

let database: TestDatabase;
let sql: SQL;
let store: Store;
let user: string;
beforeEach(async () => {
  database = await bareDatabase();
  sql = new SQL(database.url, { max: 1 });
  user = `user_${crypto.randomUUID().replaceAll('-', '')}`;
  await sql.unsafe(`CREATE ROLE ${user} LOGIN; GRANT CREATE, USAGE ON SCHEMA public TO ${user}`);
  const url = new URL(database.url);
  url.username = user;
  store = openPostgresStore(addressesOf(parsePostgresUrl(url.href)));
  await store.opened;
  await store.plants.create({ id: 1n, name: 'kept' });
});
afterEach(async () => {
  await store.close();
  await sql.unsafe(`DROP OWNED BY ${user}; DROP ROLE ${user}`);
  await sql.close();
  await database[Symbol.asyncDispose]();
});

let nextId = 2n;
const read = (): Promise<unknown> => store.plants.get(1n);
const write = (): Promise<unknown> => {
  nextId += 1n;
  return store.plants.create({ id: nextId, name: 'new' });
};
const outcomeOf = (action: () => Promise<unknown>): Promise<string> =>
  action().then(
    () => 'done',
    ({ code }) => code,
  );

const endSessions = 'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = ';

/** Each statement in a transaction of its own: a session that begins after the end of others has the new rights. */
const execute = async (statements: string): Promise<void> => {
  for (const statement of statements.replaceAll('USER', user).split('; ')) await sql.unsafe(statement);
};

test.each([
  ['the right to write', 'REVOKE INSERT ON plants FROM USER', 'GRANT INSERT ON plants TO USER', 'done'],
  ['the right to read', 'REVOKE SELECT ON plants FROM USER', 'GRANT SELECT ON plants TO USER', 'unavailable'],
  [
    'the right to use the schema',
    'REVOKE ALL ON SCHEMA public FROM USER, PUBLIC',
    'GRANT ALL ON SCHEMA public TO USER',
    'unavailable',
  ],
  [
    'the right to log in, and its sessions',
    `ALTER ROLE USER NOLOGIN; ${endSessions}'USER'`,
    'ALTER ROLE USER LOGIN',
    'unavailable',
  ],
  [
    'the right to write at the next session, and its sessions',
    `ALTER ROLE USER SET default_transaction_read_only = on; ${endSessions}'USER'`,
    `ALTER ROLE USER RESET default_transaction_read_only; ${endSessions}'USER'`,
    'done',
  ],
])('a user that has lost %s gets unavailable, until it has it again', async (_what, revoke, grant, whileLost) => {
  await execute(revoke);
  // The commit of a session that is ended may be unknown, once.
  await eventually(async () => expect(await outcomeOf(write)).toBe('unavailable'));
  await eventually(async () => expect(await outcomeOf(read)).toBe(whileLost));
  await execute(grant);
  await eventually(async () => expect([await outcomeOf(write), await outcomeOf(read)]).toEqual(['done', 'done']));
});

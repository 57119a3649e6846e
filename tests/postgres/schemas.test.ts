/** Stores in schemas of one database, which `search_path` chooses. They share nothing but the server. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import type { Topic } from '../../src/storage/topic.ts';
import type { Store } from '../../src/store/store.ts';
import { digestToken, generateToken, scopes } from '../../src/tokens/token.ts';
import { bareDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';
import { openPostgres } from '../support/store/postgres-engine.ts';
import { SQL } from '../support/store/sql.ts';
import { until } from '../support/until.ts';

let database: TestDatabase;
let admin: SQL;
let garden: Store;
let balcony: Store;
beforeEach(async () => {
  database = await bareDatabase();
  admin = new SQL(database.url, { max: 1 });
  await admin`CREATE SCHEMA garden`;
  await admin`CREATE SCHEMA balcony`;
  // At the same time, as when all services of a server start.
  [garden, balcony] = await Promise.all([openPostgres(urlOf('garden')), openPostgres(urlOf('balcony'))]);
});
afterEach(async () => {
  await garden.close();
  await balcony.close();
  await admin.close();
  await database[Symbol.asyncDispose]();
});

const urlOf = (schema: string): string => `${database.url}?options=${encodeURIComponent(`-c search_path=${schema}`)}`;
const sequencesOf = async ({ events }: Store) => (await events.read(0n, 10)).events.map(({ sequence }) => sequence);

test('stores in two schemas have plants and logs of their own', async () => {
  await garden.plants.create({ id: 1n, name: 'Rose' });
  await garden.plants.create({ id: 2n, name: 'Oak' });
  await balcony.plants.create({ id: 1n, name: 'Basil' });
  expect([(await garden.plants.get(1n))?.name, (await balcony.plants.get(1n))?.name]).toEqual(['Rose', 'Basil']);
  expect(await balcony.plants.get(2n)).toBeUndefined();
  expect([await sequencesOf(garden), await sequencesOf(balcony)]).toEqual([[1n, 2n], [1n]]);
});

test('stores in two schemas have tokens of their own', async () => {
  const digest = digestToken(generateToken());
  await garden.tokens.create({ name: 'test', scopes, digest });
  expect((await garden.tokens.findByDigest(digest))?.name).toBe('test');
  expect(await balcony.tokens.findByDigest(digest)).toBeUndefined();
});

test('a store wakes up only for changes in its schema', async () => {
  const [another, heard] = [await openPostgres(urlOf('garden')), { garden: [] as Topic[], balcony: [] as Topic[] }];
  const ends = [
    another.onNew((topic) => heard.garden.push(topic)),
    balcony.onNew((topic) => heard.balcony.push(topic)),
  ];
  const channels = () => admin`
    SELECT count(*)::int AS count FROM pg_stat_activity
    WHERE datname = current_database() AND query LIKE 'LISTEN%'`;
  await until(async () => (await channels())[0].count === 2);
  await garden.plants.create({ id: 1n, name: 'Rose' });
  await until(async () => heard.garden.length > 0);
  // Notifications arrive in order: one of the first commit would come before that of this one.
  const third = await openPostgres(urlOf('balcony'));
  await third.plants.create({ id: 1n, name: 'Basil' });
  await until(() => heard.balcony.length > 0);
  expect(heard).toEqual({ garden: ['event'], balcony: ['event'] });
  await third.close();
  for (const end of ends) end();
  await another.close();
});

test('a locked log of one schema delays no write in another', async () => {
  await admin.begin(async (transaction) => {
    await transaction`SELECT FROM garden.log_head FOR UPDATE`;
    const waiting = garden.plants.create({ id: 1n, name: 'Rose' }).then(() => 'garden');
    const free = balcony.plants.create({ id: 1n, name: 'Basil' }).then(() => 'balcony');
    expect(await Promise.race([waiting, free])).toBe('balcony');
    await free;
  });
  await until(async () => (await garden.plants.get(1n)) !== undefined);
});

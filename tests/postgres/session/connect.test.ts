/** A URL that names several servers. A server with the file `standby.signal` is in recovery, as a standby is. */
import { afterAll, beforeAll, expect, test } from 'bun:test';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SQL } from 'bun';
import { parsePostgresUrl } from '../../../src/postgres/driver/url.ts';
import { openPostgresStore } from '../../../src/postgres/open.ts';
import { addressesOf } from '../../../src/postgres/session/address.ts';
import { freePort } from '../../support/network/port.ts';
import { type PostgresServer, startPostgres } from '../../support/postgres/postgres-server.ts';
import { openPostgres } from '../../support/store/postgres-engine.ts';
import { until } from '../../support/until.ts';

let primary: PostgresServer;
let standby: PostgresServer;
beforeAll(async () => {
  [primary, standby] = await Promise.all([startPostgres(), startPostgres()]);
  // It has the tables too, as a copy of the primary would.
  await (await openPostgres(standby.url)).close();
  await standby.stop();
  writeFileSync(join(standby.folder, 'data/standby.signal'), '');
  await standby.start();
});
afterAll(async () => {
  await primary[Symbol.asyncDispose]();
  await standby[Symbol.asyncDispose]();
});

const urlOf = (...ports: number[]): string => {
  const { username, pathname } = new URL(primary.url);
  return `postgres://${username}@${ports.map((port) => `127.0.0.1:${port}`).join()}${pathname}`;
};

test('of a standby, a closed port and the server that accepts writes, the last one is used', async () => {
  const store = await openPostgres(urlOf(standby.port, await freePort(), primary.port));
  await store.plants.create({ id: 1n, name: 'n' });
  await store.close();
  await using sql = new SQL(primary.url, { max: 1 });
  expect((await sql`SELECT id::int FROM plants`.values()).flat()).toEqual([1]);
});

test('a standby alone is refused, with the reason', async () => {
  const store = openPostgresStore(addressesOf(parsePostgresUrl(urlOf(standby.port))));
  await expect(store.opened).rejects.toThrow('The server is a standby, which accepts no writes.');
  await store.close();
});

test('a store finds the standby that was promoted after the primary has stopped', async () => {
  const store = await openPostgres(urlOf(primary.port, standby.port));
  await store.plants.create({ id: 2n, name: 'n' });
  await primary.stop();
  await using sql = new SQL(standby.url, { max: 1 });
  await sql`SELECT pg_promote()`;
  await until(() =>
    store.plants
      .create({ id: 3n, name: 'n' })
      .then(Boolean)
      .catch(() => false),
  );
  await store.close();
  expect((await sql`SELECT id::int FROM plants`.values()).flat()).toEqual([3]);
});

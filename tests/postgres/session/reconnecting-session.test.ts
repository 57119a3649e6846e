/** A connection that is replaced when it is lost. */
import { expect, test } from 'bun:test';
import { bareDatabase } from '../../support/postgres/postgres-database.ts';
import { startProxy } from '../../support/postgres/proxy.ts';
import { openPostgres } from '../../support/store/postgres-engine.ts';
import { SQL } from '../../support/store/sql.ts';

test('a connection that the server closes with the response to its set-up is replaced', async () => {
  await using database = await bareDatabase();
  await using proxy = await startProxy(database.url);
  const store = await openPostgres(proxy.url);
  const ended = proxy.breakAt(/schema_migrations/, 'farewell');
  // A read on such a connection would be repeated endlessly, without a turn of the event loop in which a test could fail.
  const created = await store.plants.create({ id: 1n, name: 'n' });
  await ended;
  await store.close();
  expect(created.id).toBe(1n);
});

test('a connection that was made while another request had no response is replaced when that request times out', async () => {
  await using database = await bareDatabase();
  await using proxy = await startProxy(database.url);
  const store = await openPostgres(proxy.url);
  await using admin = new SQL(database.url, { max: 1 });
  await admin.begin(async (sql) => {
    await sql`LOCK TABLE plants`;
    const waiting = store.plants.count().then(
      () => 'counted',
      ({ code }) => code,
    );
    // On a second connection, since the first one is in use.
    await store.webhooks.list();
    proxy.forget();
    expect(await waiting).toBe('unavailable');
  });
  expect(await Promise.all([store.webhooks.list(), store.tokens.list()])).toHaveLength(2);
  await store.close();
});

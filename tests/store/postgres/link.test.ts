/** A connection that is replaced when it is lost. */
import { expect, test } from 'bun:test';
import { openPostgres } from '../../support/engines.ts';
import { bareDatabase } from '../../support/postgres-database.ts';
import { startProxy } from '../../support/proxy.ts';

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

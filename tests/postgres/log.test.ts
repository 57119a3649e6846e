/** The order in which events of several processes become visible, while the commit of one of them is delayed. */
import { expect, test } from 'bun:test';
import { bareDatabase } from '../support/postgres/postgres-database.ts';
import { startProxy } from '../support/postgres/proxy.ts';
import { numberBySequence } from '../support/postgres/sequence-numbers.ts';
import { openPostgres } from '../support/store/postgres-engine.ts';
import { SQL } from '../support/store/sql.ts';
import { until } from '../support/until.ts';

/** The sequences that are visible while the second of three events has its number and is not committed, and after that. */
const readDuringCommit = async (prepare: (sql: SQL) => Promise<void>) => {
  await using database = await bareDatabase();
  await using proxy = await startProxy(database.url);
  const [store, delayed] = [await openPostgres(database.url), await openPostgres(proxy.url)];
  await using sql = new SQL(database.url, { max: 1 });
  await prepare(sql);
  const readSequences = async () => (await store.events.list({ limit: 10 })).map(({ sequence }) => sequence);

  await store.plants.create({ id: 1n, name: 'n' });
  const broken = proxy.breakAt(/^COMMIT/, 'hold');
  const second = delayed.plants.update(1n, { name: 'm' });
  const { release } = await broken;
  // It has its number once it has written its event. It also waits, without a number, between earlier statements.
  await until(() => hasSession(sql, `state = 'idle in transaction' AND ${hasWrittenEvent}`));
  let isWritten = false;
  const third = store.plants.create({ id: 2n, name: 'n' }).then(() => {
    isWritten = true;
  });
  const isHeadAwaited = "wait_event_type = 'Lock' AND query LIKE '%UPDATE log_head%'";
  await until(async () => isWritten || (await hasSession(sql, isHeadAwaited)));
  const before = await readSequences();
  await release();
  await Promise.all([second, third]);
  const after = await readSequences();
  for (const one of [store, delayed]) await one.close();
  return { before, after };
};

const hasWrittenEvent = `EXISTS (SELECT FROM pg_locks
  WHERE pg_locks.pid = pg_stat_activity.pid AND relation = 'events'::regclass AND mode = 'RowExclusiveLock')`;

const hasSession = async (sql: SQL, condition: string): Promise<boolean> => {
  const found = await sql.unsafe(`SELECT FROM pg_stat_activity WHERE datname = current_database() AND ${condition}`);
  return found.length > 0;
};

test('an event of one process is not visible before those of other processes with smaller sequences', async () => {
  expect(await readDuringCommit(async () => {})).toEqual({ before: [1n], after: [1n, 2n, 3n] });
});

test('with a PostgreSQL sequence instead of the head, a reader would skip an event', async () => {
  expect(await readDuringCommit(numberBySequence)).toEqual({ before: [1n, 3n], after: [1n, 2n, 3n] });
});

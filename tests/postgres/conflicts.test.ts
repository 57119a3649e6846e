/** Changes that conflict with transactions of other sessions: they wait for a short time or are retried, and clients do not see the conflict. */
import { expect, test } from 'bun:test';
import { create, errorOf, type TestApp } from '../support/app/app.ts';
import { expectPace, idleMs } from '../support/pace.ts';
import { auditLog } from '../support/postgres/postgres-audit.ts';
import { promisedMs } from '../support/promised.ts';
import { openPostgres } from '../support/store/postgres-engine.ts';
import { countWaiting, eventsOf, rename, setUp, untilWaiting } from './scene.ts';

test.concurrent.each<[string, string, (app: TestApp) => Promise<Response>]>([
  ['an update', 'UPDATE plants SET name = name WHERE id = 1', (app) => rename(app, 1, 'new')],
  ['a creation', "INSERT INTO plants VALUES (2, 'n', NULL, '', '')", (app) => create(app, '{"id":2,"name":"new"}')],
  [
    'a creation with its event',
    'UPDATE log_head SET sequence = sequence',
    (app) => create(app, '{"id":2,"name":"new"}'),
  ],
])('%s that waits for another session gets 50300 in time, and changes nothing', async (_what, lock, change) => {
  await using scene = await setUp();
  await scene.other`BEGIN`;
  await scene.other.unsafe(lock);
  const changing = change(scene.app);
  expectPace('the refusal', await idleMs(changing), promisedMs.answered);
  expect(await errorOf(await changing)).toBe(50300);
  expect(await countWaiting(scene)).toBe(0);
  await scene.other`ROLLBACK`;
  expect(await scene.other`SELECT id::int, name FROM plants`.values()).toEqual([[1, 'old']]);
  expect(await auditLog(scene.url)).toEqual([]);
  expect(scene.reports.batches.at(-1)).toMatchObject({ writes: 1, isCommitted: false });
  expect((await change(scene.app)).status).toBe(200);
});

test.concurrent('a change that a deadlock has rolled back is retried and reported, and no client gets an error', async () => {
  await using scene = await setUp();
  await create(scene.app, '{"id":2,"name":"old"}');
  // The service is the one that finds the deadlock.
  await scene.other`SET deadlock_timeout = '1min'`;
  await scene.other`BEGIN`;
  await scene.other`SELECT 1 FROM plants WHERE id = 2 FOR UPDATE`;
  const answers = Promise.all([rename(scene.app, 1, 'new'), rename(scene.app, 2, 'new')]);
  await untilWaiting(scene);
  await scene.other`SELECT 1 FROM plants WHERE id = 1 FOR UPDATE`;
  await scene.other`COMMIT`;
  expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  expect(await eventsOf(scene, 2)).toEqual(['plant.created', 'plant.updated']);
  expect(await auditLog(scene.url)).toEqual([]);
  const { retries, events, batches } = scene.reports;
  // It may take its locks again before the other session does.
  expect(new Set(retries)).toEqual(new Set(['40P01']));
  expect(events).toEqual({ 'plant.created': 2, 'plant.updated': 2 });
  expect(batches.at(-1)).toMatchObject({ writes: 2, isCommitted: true });
});

test.concurrent('changes whose creation loses a race are retried, and reported as a unique violation', async () => {
  await using scene = await setUp();
  await scene.other`BEGIN`;
  await scene.other`INSERT INTO plants VALUES (2, 'n', NULL, '', '')`;
  const answers = Promise.all([rename(scene.app, 1, 'new'), create(scene.app, '{"id":2,"name":"n"}')]);
  await untilWaiting(scene);
  await scene.other`COMMIT`;
  expect((await answers).map(({ status }) => status)).toEqual([200, 200]);
  expect(scene.reports.retries).toEqual(['23505']);
  expect(scene.reports.events).toEqual({ 'plant.created': 1, 'plant.updated': 1 });
});

test.concurrent('a plant that one batch creates and deletes cannot be created by another process meanwhile', async () => {
  await using scene = await setUp();
  const { store } = scene;
  const another = await openPostgres(scene.url);
  await scene.other`BEGIN`;
  await scene.other`SELECT 1 FROM plants WHERE id = 1 FOR UPDATE`;
  // One batch: it reads that there is no plant 2, and waits for plant 1.
  const changes = Promise.allSettled([
    store.plants.update(1n, { name: 'new' }),
    store.plants.create({ id: 2n, name: 'n' }),
    store.plants.delete(2n),
  ]);
  await untilWaiting(scene);
  await another.plants.create({ id: 2n, name: 'n of another process' });
  await another.close();
  await scene.other`COMMIT`;
  expect((await changes).map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await eventsOf(scene, 2)).toEqual(['plant.created', 'plant.deleted']);
  expect(await auditLog(scene.url)).toEqual([]);
});

test.concurrent('an import creates a plant that another process deletes meanwhile', async () => {
  await using scene = await setUp();
  const { store } = scene;
  await store.plants.create({ id: 2n, name: 'old' });
  const another = await openPostgres(scene.url);
  await scene.other`BEGIN`;
  await scene.other`SELECT 1 FROM plants WHERE id = 1 FOR UPDATE`;
  const imported = [1n, 2n].map((id) => ({ id, name: 'imported' }));
  // Both ids are taken when it inserts. Then it waits for plant 1.
  const outcomes = store.plants.putAll((put) => put(imported, 'replace'));
  await untilWaiting(scene);
  await another.plants.delete(2n);
  await another.close();
  await scene.other`COMMIT`;
  expect(await outcomes).toEqual(['replaced', 'created']);
  expect((await store.plants.get(2n))?.name).toBe('imported');
  expect(await eventsOf(scene, 2)).toEqual(['plant.created', 'plant.deleted', 'plant.created']);
  expect(await auditLog(scene.url)).toEqual([]);
});

test.concurrent('an import replaces a plant that another process creates meanwhile', async () => {
  await using scene = await setUp();
  await scene.other`BEGIN`;
  await scene.other`INSERT INTO plants VALUES (2, 'n', NULL, '', '')`;
  const imported = [1n, 2n, 3n].map((id) => ({ id, name: 'imported' }));
  // It finds that plant 1 exists, and waits when it creates plant 2.
  const outcomes = scene.store.plants.putAll((put) => put(imported, 'replace'));
  await untilWaiting(scene);
  await scene.other`COMMIT`;
  expect(await outcomes).toEqual(['replaced', 'replaced', 'created']);
  expect(await scene.store.plants.count()).toBe(3);
  expect(await eventsOf(scene, 2)).toEqual(['plant.updated']);
  expect(await eventsOf(scene, 3)).toEqual(['plant.created']);
});

test.concurrent('of creations with one id in one batch the first creates the plant, and the others are compared with it', async () => {
  await using scene = await setUp();
  const names = ['first', 'second', 'first'];
  const answers = await Promise.all(names.map((name) => create(scene.app, `{"id":2,"name":"${name}"}`)));
  expect(answers.map(({ status }) => status)).toEqual([200, 409, 200]);
  expect(await eventsOf(scene, 2)).toEqual(['plant.created']);
  expect(scene.reports.events).toEqual({ 'plant.created': 2 });
});

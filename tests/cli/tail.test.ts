import { expect, test } from 'bun:test';
import { eventIdOf } from '../../src/events/event.ts';
import type { Store } from '../../src/store/store.ts';
import { createTestApp } from '../support/app/app.ts';
import { freshDatabase } from '../support/postgres/postgres-database.ts';
import { startProxy } from '../support/postgres/proxy.ts';
import { runCommand } from '../support/programs/command.ts';
import { startTail } from '../support/programs/process.ts';
import { createTestDatabase, onBothEngines, openTestStore } from '../support/store/engines.ts';
import { until } from '../support/until.ts';

const createPlants = async (store: Store, ...ids: readonly bigint[]): Promise<void> => {
  for (const id of ids) await store.plants.create({ id, name: 'a\nb', tag: 't' });
};

const idOfFirst = async (store: Store): Promise<string> => {
  const [first] = await store.events.list({ limit: 1 });
  if (!first) throw new Error('There is no event.');
  return eventIdOf(first);
};

onBothEngines(() => {
  test('tail prints each event after the given one as GET /events returns it, then new events, until a signal', async () => {
    await using database = await createTestDatabase();
    const store = await openTestStore(database.url);
    await createPlants(store, 1n, 2n, 2n ** 63n - 1n);
    await using tail = startTail(['--database', database.url, '--after', await idOfFirst(store)]);
    await tail.lines(2);
    await createPlants(store, 4n);
    const lines = await tail.lines(3);
    const { send } = await createTestApp({ store });
    const [, ...later] = (await (await send('GET', '/events')).text()).slice(1, -1).split(/(?<=\}),(?=\{)/);
    expect(lines).toEqual(later);
    tail.kill('SIGTERM');
    expect(await tail.exited).toBe(0);
    expect(tail.stderr()).toBe('');
    await store.close();
  });

  test.each([
    ['without --after', []],
    ['with an empty --after', ['--after', '']],
  ])('tail %s begins with new events, and ends when its reader closes the pipe', async (_options, args) => {
    await using database = await createTestDatabase();
    const store = await openTestStore(database.url);
    await createPlants(store, 1n);
    await using tail = startTail(['--database', database.url, ...args]);
    const reading = tail.lines(1);
    // It begins when it has opened the database.
    let next = 2n;
    const isPrinted = reading.then(() => true);
    while (!(await Promise.race([isPrinted, Bun.sleep(20).then(() => false)]))) {
      await createPlants(store, next);
      next += 1n;
    }
    const [line = ''] = await reading;
    expect(JSON.parse(line).sequence).toBeGreaterThan(1);
    await tail.closeStdout();
    await createPlants(store, next);
    expect(await tail.exited).toBe(0);
    await store.close();
  });

  test('tail after an unknown or removed event fails with one message and exit code 1', async () => {
    await using database = await createTestDatabase();
    const store = await openTestStore(database.url);
    await createPlants(store, 1n, 2n, 3n, 4n);
    const removed = await idOfFirst(store);
    await store.events.prune('9999-01-01T00:00:00.000Z', 2);
    for (const [after, message] of [
      ['x', '--after must be the id of an event in this database.'],
      ['evt_4_0123456789abcdef', '--after must be the id of an event in this database.'],
      [removed, 'The events after --after were removed, since they are older than EVENT_RETENTION.'],
    ] as const) {
      const outcome = await runCommand(['tail', '--database', database.url, '--after', after]);
      expect(outcome).toEqual({ exitCode: 1, stdout: '', stderr: `plant-store: ${message}\n` });
    }
    await store.close();
  });
});

test('tail waits for an unavailable database, at its start and later, and reports it', async () => {
  await using database = await freshDatabase();
  const store = await openTestStore(database.url);
  await createPlants(store, 1n, 2n);
  await using proxy = await startProxy(database.url);
  await proxy.refuse();
  await using tail = startTail(['--database', proxy.url, '--after', await idOfFirst(store)]);
  await until(() => / is unavailable: /.test(tail.stderr()));
  await proxy.accept();
  await tail.lines(1);
  await proxy.refuse();
  await createPlants(store, 3n);
  await until(() => tail.stderr().match(/ is unavailable: /g)?.length === 2);
  await proxy.accept();
  const lines = await tail.lines(2);
  expect(lines.map((line) => JSON.parse(line).sequence)).toEqual([2, 3]);
  expect(tail.stderr().match(/ is available again\./g)).toHaveLength(2);
  await store.close();
});

import { expect, test } from 'bun:test';
import { openSqliteStore } from '../../src/engines/sqlite.ts';
import { eventIdOf, keyTextOf } from '../../src/events/event.ts';
import { temporaryFolder } from '../support/folder.ts';
import { createOlderSqlite } from '../support/store/sqlite.ts';
import { expectTracesFromNowOn, insertUntracedEvent } from '../support/store/traced-events.ts';

test('events from before the column traceparent have none, and the next one has its own', async () => {
  using folder = temporaryFolder();
  const path = folder.file('p.sqlite');
  createOlderSqlite(path, 7, (client) => client.run(insertUntracedEvent));
  await expectTracesFromNowOn(openSqliteStore(path, { upgrade: true }));
});

test('a migration moves the tests out of the log, and no event of a plant is lost or sent twice', async () => {
  using folder = temporaryFolder();
  const path = folder.file('p.sqlite');
  createOlderSqlite(path, 4, (client) => {
    const event = client.prepare<never, object>('INSERT INTO events VALUES ($sequence, $type, $at, $id, $name, NULL)');
    const at = '2026-01-01T00:00:00.000Z';
    for (const [sequence, type] of ['test', 'created', 'test', 'test', 'created', 'deleted', 'test'].entries()) {
      const isTest = type === 'test';
      const plant = isTest
        ? { type: 'webhook.test', id: null, name: null }
        : { type: `plant.${type}`, id: 1, name: 'n' };
      event.run({ sequence: sequence + 1, at, ...plant });
    }
    for (const [id, position] of [
      ['wh_a', 7],
      ['wh_b', 4],
    ] as const)
      client.run(
        `INSERT INTO webhooks (id, url, events, secrets, position, created_at)
          VALUES ('${id}', 'https://example.com/', 'plant.created', '[{"text":"s"}]', ${position}, '${at}')`,
      );
    const delivery = client.prepare<never, object>(
      'INSERT INTO deliveries VALUES ($webhook, $sequence, $text, 1, $next)',
    );
    for (const [webhook, sequence, next] of [
      ['wh_a', 1, null],
      ['wh_a', 2, null],
      // A request of a client, in the form of earlier versions.
      ['wh_b', 3, '1026-05-01T09:30:00.000Z'],
      ['wh_a', 4, null],
      ['wh_a', 7, at],
      ['wh_deleted', 4, at],
    ] as const)
      delivery.run({ webhook, sequence, text: '[]', next });
  });
  const store = openSqliteStore(path, { upgrade: true });
  const listed = async (id: string) =>
    (await store.deliveries.list(id, { limit: 10 })).map(
      ({ event, nextAttemptAt }) => `${keyTextOf(event)} ${event.type}${nextAttemptAt ? ' pending' : ''}`,
    );
  expect(await listed('wh_a')).toEqual([
    '6t4 webhook.test pending',
    '2t3 webhook.test',
    '2 plant.created',
    '0t1 webhook.test',
  ]);
  expect(await listed('wh_b')).toEqual(['2t2 webhook.test pending']);
  const due = { now: '1970-01-01T00:00:00.000Z', latest: '9999-01-01T00:00:00.000Z', limit: 10 };
  expect(await store.deliveries.readDue('wh_b', due)).toEqual([
    expect.objectContaining({ requestedAt: expect.stringMatching(/^20/), nextAttemptAt: expect.stringMatching(/^20/) }),
  ]);
  const log = await store.events.list({ limit: 10 });
  expect(log.map(({ sequence }) => sequence)).toEqual([2n, 5n, 6n]);
  // The next event has the sequence of the newest test, and is sent nevertheless.
  expect((await store.webhooks.list()).map(({ position }) => position)).toEqual([6n, 4n]);
  await store.plants.create({ id: 9n, name: 'n' });
  const [next] = (await store.deliveries.readUntried('wh_a', 6n, 10)).events;
  expect(next && eventIdOf(next)).toMatch(/^evt_7_/);
  await store.close();
});

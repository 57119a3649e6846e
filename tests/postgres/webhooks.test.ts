/** Webhooks with several processes on one database: each store here has its own connections, like a process. */
import { afterEach, beforeEach, expect, test } from 'bun:test';
import { type Attempt, type Delivery, testMessagesPendingMax } from '../../src/deliveries/delivery.ts';
import { eventIdOf } from '../../src/events/event.ts';
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { openPostgresStore } from '../../src/postgres/open.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import type { Store } from '../../src/store/store.ts';
import { type WebhookRecord, webhooksMax } from '../../src/webhooks/webhook.ts';
import { freshDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';
import { SQL } from '../support/store/sql.ts';
import { until } from '../support/until.ts';
import { attemptNew, neverLeased } from '../support/webhooks/attempts.ts';

let database: TestDatabase;
let stores: Store[];
let first: Store;
let second: Store;

const open = async (): Promise<Store> => {
  const store = openPostgresStore(addressesOf(parsePostgresUrl(database.url)));
  await store.opened;
  return store;
};

beforeEach(async () => {
  database = await freshDatabase();
  first = await open();
  second = await open();
  stores = [first, second, await open(), await open()];
});

afterEach(async () => {
  for (const store of stores) await store.close();
  await database[Symbol.asyncDispose]();
});

const add = (store = first): Promise<WebhookRecord> =>
  store.webhooks.create({ url: 'https://receiver.example.com/', events: ['plant.created'], secret: 'whsec_1' });

/** Repeats it in all stores concurrently. Returns the codes of the errors. */
const race = async (times: number, act: (store: Store) => Promise<unknown>): Promise<string[]> => {
  const acts = stores.flatMap((store) => Array.from({ length: times }, () => act(store)));
  const outcomes = await Promise.allSettled(acts);
  return outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.code] : []));
};

const good: Attempt = { at: '2026-01-01T00:00:00.000Z', durationMs: 1, status: 204 };
const never = '9999-01-01T00:00:00.000Z';

const settle = ({ nextAttemptAt: _, requestedAt: __, ...before }: Delivery): Delivery => ({
  ...before,
  attempts: [...before.attempts, good],
  attemptsInRound: before.attemptsInRound + 1,
});

/** Resolves to a delivery of an event that is not the newest, and its webhook. */
const deliver = async (): Promise<Delivery> => {
  const webhook = await add();
  for (const id of [1n, 2n]) await first.plants.create({ id, name: 'n' });
  const [delivery] = await attemptNew(first, webhook, good);
  if (!delivery) throw new Error('nothing was delivered');
  return delivery;
};

test('concurrent stores create no more webhooks than webhooksMax', async () => {
  for (let count = 0; count < webhooksMax - 10; count += 1) await add();
  expect(await race(5, add)).toEqual(Array(10).fill('too_many_webhooks'));
  expect(await second.webhooks.list()).toHaveLength(webhooksMax);
});

test('concurrent stores request no more tests of a webhook than testMessagesPendingMax', async () => {
  const { id } = await add();
  for (let count = 0; count < testMessagesPendingMax - 10; count += 1) await first.deliveries.createTestMessage(id);
  expect(await race(5, ({ deliveries }) => deliveries.createTestMessage(id))).toEqual(Array(10).fill('too_many_tests'));
  const range = { now: never, latest: never, limit: 1000 };
  expect(await second.deliveries.readDue(id, range)).toHaveLength(testMessagesPendingMax);
});

test('concurrent tests of several webhooks have consecutive numbers', async () => {
  const numbers: bigint[] = [];
  const errors = await race(5, async (store) => {
    const { event } = await store.deliveries.createTestMessage((await add(store)).id);
    if (event.type === 'webhook.test') numbers.push(event.number);
  });
  expect(errors).toEqual([]);
  expect(numbers.sort((a, b) => Number(a - b))).toEqual(Array.from({ length: 20 }, (_, index) => BigInt(index + 1)));
});

test('an attempt that a paused store records late does not undo a redelivery requested meanwhile', async () => {
  const { webhookId, event } = await deliver();
  const before = await first.deliveries.redeliver(webhookId, eventIdOf(event));
  // The first store is in the middle of its attempt, and the second has done the same one.
  await second.deliveries.record([{ before, after: settle(before) }], new Map(), neverLeased);
  const again = await second.deliveries.redeliver(webhookId, eventIdOf(event));
  await first.deliveries.record([{ before, after: settle(before) }], new Map(), neverLeased);
  const due = await second.deliveries.readDue(webhookId, { now: never, latest: never, limit: 10 });
  expect(due).toEqual([{ ...again, attempts: settle(before).attempts }]);
});

test('stores that record attempts to the same webhooks in different orders all succeed', async () => {
  const webhooks = [await add(), await add(), await add()];
  await first.plants.create({ id: 1n, name: 'n' });
  const [event] = (await first.deliveries.readUntried(webhooks[0]?.id ?? '', 0n, 1)).events;
  if (!event) throw new Error('nothing is new');
  const changes = webhooks.map(({ id }) => {
    const before: Delivery = { webhookId: id, event, attempts: [], attemptsInRound: 0 };
    return { before, after: settle(before) };
  });
  // Few at a time: a write waits only for a short time for the earlier ones of its store.
  for (let round = 0; round < 5; round += 1) {
    const errors = await race(4, ({ deliveries }) => {
      changes.reverse();
      return deliveries.record([...changes], new Map(changes.map(({ before }) => [before.webhookId, 1n])), neverLeased);
    });
    expect(errors).toEqual([]);
  }
  for (const { id } of webhooks) expect(await first.deliveries.list(id, { limit: 10 })).toHaveLength(1);
});

test('pruning waits for a redelivery that another process is requesting, and keeps its event', async () => {
  const { webhookId, event } = await deliver();
  await using sql = new SQL(database.url, { max: 2 });
  const other = await sql.reserve();
  await other`BEGIN`;
  await other`SELECT FROM webhooks WHERE id = ${webhookId} FOR UPDATE`;
  await other`UPDATE deliveries SET requested_at = ${never}, next_attempt_at = ${never}
    WHERE webhook_id = ${webhookId} AND sequence = ${event.sequence}`;
  const pruning = first.events.prune(never, 100);
  const countWaiting = () =>
    sql`SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`.then(
      ({ length }) => length,
    );
  await until(async () => (await countWaiting()) > 0);
  await other`COMMIT`;
  other.release();
  expect(await pruning).toBe(0);
  expect(await first.deliveries.list(webhookId, { limit: 10 })).toMatchObject([{}, { requestedAt: never }]);
});

test('pruning removes the rows of old transactions, and keeps those whose outcome may still be looked up', async () => {
  await using sql = new SQL(database.url, { max: 1 });
  await sql`INSERT INTO transactions (id, is_fence, created_at) VALUES
    ('old', false, '2020-01-01T00:00:00.000Z'), ('new', true, ${new Date().toISOString()})`;
  await first.events.prune(never, 100);
  const rows: { id: string }[] = await sql`SELECT id FROM transactions`;
  const ids = rows.map(({ id }) => id);
  expect(ids).toContain('new');
  expect(ids).not.toContain('old');
});

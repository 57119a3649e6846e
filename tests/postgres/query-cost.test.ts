/** The cost of a query on events, deliveries or tests does not grow with the tables: it reads few rows, and each by an index. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import type { Delivery } from '../../src/deliveries/delivery.ts';
import { plantEventTypes } from '../../src/events/event.ts';
import {
  countOfDeliveries,
  countPendingTestMessages,
  findDelivery,
  findRequests,
  lookUpTestMessage,
  putDeliveries,
  readDue,
  readNewestTestMessage,
  readNextDue,
  readPage,
  readPageOfState,
  removePendingTestMessages,
  removeSettledTestMessages,
} from '../../src/postgres/delivery-queries.ts';
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { prune } from '../../src/postgres/events.ts';
import { readNewest, readOldest, selectEvents } from '../../src/postgres/log.ts';
import { selectEventsBefore } from '../../src/postgres/log-backwards.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import { connect } from '../../src/postgres/session/connect.ts';
import type { Session } from '../../src/postgres/session/session.ts';
import { bareDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';

let database: TestDatabase;
let session: Session;

const past = '2026-01-01T00:00:00.000Z';
const later = '2026-02-01T00:00:00.000Z';
const future = '2027-01-01T00:00:00.000Z';

beforeAll(async () => {
  database = await bareDatabase();
  session = await connect(addressesOf(parsePostgresUrl(database.url)), async (session) => {
    await migrate(session, { create: true });
  });
  const { query } = session;
  await query(`INSERT INTO events SELECT n, 'plant.created', '${past}', n, 'n', NULL FROM generate_series(1, 20000) n`);
  await query('UPDATE log_head SET sequence = 20000');
  await query(`INSERT INTO webhooks (id, url, events, secrets, position, created_at)
    SELECT 'w' || n, 'https://a.test', 'plant.created', '[]', 10000, '${past}' FROM generate_series(1, 10) n`);
  // The first webhook has most of them, and the last one has been deleted.
  await query(`INSERT INTO deliveries
    SELECT 'w1', n, '[]', 1,
      CASE WHEN n > 5000 AND n % 100 = 0 THEN '${past}' END, CASE WHEN n > 5000 AND n % 200 = 0 THEN '${past}' END,
      0, NULL, CASE WHEN n > 5000 AND n % 100 = 0 THEN 'pending' ELSE 'failed' END
    FROM generate_series(1, 10000) n`);
  await query(`INSERT INTO deliveries
    SELECT 'w' || w, n, '[]', 1, NULL, NULL, 0, NULL, 'failed' FROM generate_series(2, 11) w, generate_series(1, 20) n`);
  await query(`INSERT INTO deliveries
    SELECT 'w' || (n % 10 + 1), n, '[]', 0, CASE WHEN n % 100 = 0 THEN '${past}' END, NULL, n, '${later}',
      CASE WHEN n % 100 = 0 THEN 'pending' ELSE 'failed' END
    FROM generate_series(1, 10000) n`);
  await query('ANALYZE');
});

afterAll(async () => {
  session.close();
  await database[Symbol.asyncDispose]();
});

interface Cost {
  readonly scans: number;
  readonly rows: number;
}

const none: Cost = { scans: 0, rows: 0 };

/** Does it in a transaction that is rolled back. Returns the number of sequential scans, and of rows read by an index. */
const costOf = async (work: (session: Session) => PromiseLike<unknown>): Promise<Cost> => {
  await session.query('BEGIN');
  const before = await readCost();
  await work(session);
  const after = await readCost();
  await session.query('ROLLBACK');
  return { scans: after.scans - before.scans, rows: after.rows - before.rows };
};

const readCost = async (): Promise<Cost> => {
  const [cost = none] = await session.query<Cost>(`
    SELECT sum(seq_scan)::int AS scans, sum(idx_tup_fetch)::int AS rows
    FROM pg_stat_xact_user_tables WHERE relname IN ('events', 'deliveries')`);
  return cost;
};

const range = { now: '2026-06-01T00:00:00.000Z', latest: future, limit: 10 };
const place = { sequence: 5000n, number: 0n };
/** The log has creations only. */
const rare = ['plant.updated', 'plant.deleted'] as const;
const mixed = ['plant.created', 'plant.deleted'] as const;
const ofTest = { sequence: 5000n, number: 5000n };

const deliveriesOf = (event: (index: number) => Delivery['event']): Delivery[] =>
  Array.from({ length: 20 }, (_, index) => ({
    webhookId: 'w1',
    event: event(index),
    attempts: [],
    attemptsInRound: 1,
  }));
const ofLog = deliveriesOf((index) => ({
  type: 'plant.deleted',
  sequence: BigInt(200 + index),
  id: 1n,
  timestamp: past,
}));
const tests = deliveriesOf((index) => ({
  type: 'webhook.test',
  sequence: BigInt(10 * index),
  number: BigInt(10 * index),
  timestamp: past,
}));

describe('the cost of a query', () => {
  test.each<[string, (session: Session) => PromiseLike<unknown>]>([
    ['a page of the log', (session) => selectEvents(session, { after: 5000n, limit: 10, types: plantEventTypes })],
    ['a page of one type', (session) => selectEvents(session, { after: 5000n, limit: 10, types: ['plant.created'] })],
    ['a page of rare types', (session) => selectEvents(session, { after: 5000n, limit: 10, types: rare })],
    ['a page of a rare type and others', (session) => selectEvents(session, { after: 5000n, limit: 10, types: mixed })],
    ['a page backwards', (session) => selectEventsBefore(session, { before: 5000n, limit: 10 })],
    [
      'a page of one type backwards',
      (session) => selectEventsBefore(session, { before: 5000n, limit: 10, type: 'plant.created' }),
    ],
    [
      'a page of a rare type backwards',
      (session) => selectEventsBefore(session, { before: 20_000n, limit: 10, type: 'plant.deleted' }),
    ],
    ['the oldest event', (session) => readOldest(session)],
    ['the newest event', (session) => readNewest(session)],
    [
      'the events that a webhook was not sent',
      (session) => selectEvents(session, { after: 9995n, limit: 10, types: plantEventTypes }, 'w1'),
    ],
    [
      'the events of some types that a webhook was not sent',
      (session) => selectEvents(session, { after: 9995n, limit: 10, types: mixed }, 'w1'),
    ],
    ['one delivery', (session) => findDelivery(session, 'w1', place)],
    ['a page of deliveries', (session) => readPage(session, 'w1', place, 10)],
    ['a page of a state', (session) => readPageOfState(session, 'failed', { ...place, webhookId: 'w1' }, 10)],
    ['a page of a rare state', (session) => readPageOfState(session, 'pending', { ...place, webhookId: 'w1' }, 10)],
    ['the number of deliveries in a state', (session) => countOfDeliveries(session, 'failed', 50)],
    ['the deliveries that are due', (session) => readDue(session, 'w1', range)],
    ['the next delivery', (session) => readNextDue(session, 'w1')],
    ['those of some deliveries that are stored', (session) => findRequests(session, ofLog)],
    ['deliveries to keep', (session) => putDeliveries(session, ofLog)],
    ['a test message', (session) => findDelivery(session, 'w1', ofTest)],
    ['a page of deliveries before a test message', (session) => readPage(session, 'w1', ofTest, 10)],
    ['those of some test messages that are stored', (session) => findRequests(session, tests)],
    ['test messages to keep', (session) => putDeliveries(session, tests)],
    ['the pending test messages of a webhook', (session) => countPendingTestMessages(session, 'w1')],
    ['the newest test message', (session) => readNewestTestMessage(session)],
    ['the test message of a cursor', (session) => lookUpTestMessage(session, 5000n)],
    ['the removal of pending test messages', (session) => removePendingTestMessages(session, 'w1')],
    ['the removal of settled test messages', (session) => removeSettledTestMessages(session, future, 10)],
  ])('of %s is at most 100 rows, by an index', async (_what, work) => {
    const { scans, rows } = await costOf(work);
    expect(scans).toBe(0);
    expect(rows).toBeLessThanOrEqual(100);
  });

  test('of pruning is a few times the number of removed rows, by an index', async () => {
    let removed = 0;
    const { scans, rows } = await costOf(async (session) => {
      removed = await prune(session, later, 200);
    });
    expect(removed).toBe(200);
    expect(scans).toBe(0);
    expect(rows).toBeLessThan(10 * removed);
  });

  test('reveals a sequential scan', async () => {
    expect((await costOf(({ query }) => query(`SELECT FROM events WHERE name = 'm'`))).scans).toBe(1);
  });
});

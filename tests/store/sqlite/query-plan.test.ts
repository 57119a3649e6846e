/** What a query costs does not grow with the tables: each goes to its place by an index and sorts nothing. */
import { describe, expect, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { connect, memory } from '../../../src/store/sqlite/connection.ts';
import { prepareDeliveryQueries } from '../../../src/store/sqlite/delivery-queries.ts';
import { prepareEventQueries } from '../../../src/store/sqlite/event-queries.ts';
import { migrate } from '../../../src/store/sqlite/migrate.ts';
import { preparePlantQueries } from '../../../src/store/sqlite/plant-queries.ts';
import { preparePruneQueries } from '../../../src/store/sqlite/prune.ts';
import { prepareTestQueries } from '../../../src/store/sqlite/test-queries.ts';

const client = connect(memory);
migrate(client);
const db = drizzle({ client });
const plants = preparePlantQueries(db);
const events = prepareEventQueries(db);
const deliveries = prepareDeliveryQueries(db);
const tests = prepareTestQueries(db);
const prune = preparePruneQueries(db);

const planOf = (query: { getQuery(): { sql: string } }): string =>
  client
    .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${query.getQuery().sql}`)
    .all()
    .map(({ detail }) => detail)
    .join('; ');

const byKey = 'USING INTEGER PRIMARY KEY (rowid=?)';
const ofWebhook = 'SEARCH deliveries USING INDEX sqlite_autoindex_deliveries_1';
const whenDue = 'SEARCH deliveries USING INDEX deliveries_due';

describe('plants', () => {
  test.each([
    ['a page from any place on', plants.page, 'SEARCH plants USING INTEGER PRIMARY KEY (rowid>?)'],
    ['a page of a tag from any place on', plants.pageOfTag, 'SEARCH plants USING INDEX plants_tag (tag=? AND rowid>?)'],
    ['one plant', plants.byId, `SEARCH plants ${byKey}`],
    ['a change', plants.replace, `SEARCH plants ${byKey}`],
    ['a removal', plants.remove, `SEARCH plants ${byKey}`],
  ])('the query for %s of plants uses an index and sorts nothing', (_what, query, plan) => {
    expect(planOf(query)).toBe(plan);
  });
});

describe('events', () => {
  test.each([
    ['a page from any place on', events.page, 'SEARCH events USING INTEGER PRIMARY KEY (rowid>?)'],
    ['a page of a type', events.pageOfType, 'SEARCH events USING INDEX events_type (type=? AND rowid>?)'],
    ['one event', events.bySequence, `SEARCH events ${byKey}`],
    // By the rowid, up to the first that will do.
    ['the oldest', events.oldest, 'SCAN events'],
    ['the newest', events.newest, 'SCAN events'],
  ])('the query for %s of the log uses an index and sorts nothing', (_what, query, plan) => {
    expect(planOf(query)).toBe(plan);
  });
});

describe('deliveries', () => {
  test.each([
    ['one', deliveries.bySequence, `${ofWebhook} (webhook_id=? AND sequence=?); SEARCH events ${byKey}`],
    ['a page from any place on', deliveries.page, `${ofWebhook} (webhook_id=? AND sequence<?); SEARCH events ${byKey}`],
    [
      'those requested',
      deliveries.requested,
      `SEARCH deliveries USING INDEX deliveries_requested (webhook_id=? AND requested_at>?); SEARCH events ${byKey}`,
    ],
    ['those due', deliveries.scheduled, `${whenDue} (webhook_id=? AND next_attempt_at<?); SEARCH events ${byKey}`],
    [
      'those scheduled too late',
      deliveries.scheduledAfter,
      `${whenDue} (webhook_id=? AND next_attempt_at>?); SEARCH events ${byKey}`,
    ],
    [
      'the untried',
      deliveries.log,
      'SEARCH events USING INTEGER PRIMARY KEY (rowid>?); SEARCH deliveries USING COVERING INDEX sqlite_autoindex_deliveries_1 (webhook_id=? AND sequence=?) LEFT-JOIN',
    ],
  ])('the query for %s of the deliveries uses an index and sorts nothing', (_what, query, plan) => {
    expect(planOf(query)).toBe(plan);
  });
});

describe('tests of webhooks', () => {
  const byPlace = 'SEARCH webhook_tests USING INDEX webhook_tests_place';
  const whenDue = 'SEARCH webhook_tests USING INDEX webhook_tests_due';
  const byNumber = 'SEARCH webhook_tests USING INTEGER PRIMARY KEY (rowid=?)';
  test.each([
    ['one', tests.byNumber, byNumber],
    ['a page from any place on', tests.pageOfSequence, `${byPlace} (webhook_id=? AND sequence=? AND rowid<?)`],
    ['the page before that', tests.page, `${byPlace} (webhook_id=? AND sequence<?)`],
    [
      'those requested',
      tests.requested,
      'SEARCH webhook_tests USING INDEX webhook_tests_requested (webhook_id=? AND requested_at>?)',
    ],
    ['those due', tests.scheduled, `${whenDue} (webhook_id=? AND next_attempt_at<?)`],
    ['those scheduled too late', tests.scheduledAfter, `${whenDue} (webhook_id=? AND next_attempt_at>?)`],
    [
      'those pending',
      tests.pending,
      `${whenDue.replace('INDEX', 'COVERING INDEX')} (webhook_id=? AND next_attempt_at>?)`,
    ],
    ['a change', tests.put, byNumber],
    ['those removed with a webhook', tests.removePending, `${whenDue} (webhook_id=? AND next_attempt_at>?)`],
    [
      'what is old',
      tests.removeSettled,
      `${byNumber}; LIST SUBQUERY 1; SEARCH webhook_tests USING INDEX webhook_tests_settled (timestamp<?)`,
    ],
  ])('the query for %s of the tests uses an index and sorts nothing', (_what, query, plan) => {
    expect(planOf(query)).toBe(plan);
  });
});

describe('pruning', () => {
  test.each([
    ['up to the first pending delivery', prune.firstPending, `${ofWebhook} (webhook_id=? AND sequence<?)`],
    [
      'webhook by webhook',
      prune.nextWebhook,
      'SEARCH deliveries USING COVERING INDEX sqlite_autoindex_deliveries_1 (webhook_id>?)',
    ],
    ['the deliveries of a webhook', prune.removeDeliveries, `${ofWebhook} (webhook_id=? AND sequence<?)`],
    ['the events', prune.removeEvents, 'SEARCH events USING INTEGER PRIMARY KEY (rowid<?)'],
  ])('the query that prunes %s uses an index and sorts nothing', (_what, query, plan) => {
    expect(planOf(query)).toBe(plan);
  });
});

test('the plan of a query that sorts says so', () => {
  expect(planOf({ getQuery: () => ({ sql: 'SELECT * FROM plants ORDER BY name' }) })).toContain('USE TEMP B-TREE');
});

/** The cost of a query does not grow with the tables: each uses an index and sorts nothing. */
import { describe, expect, test } from 'bun:test';
import { prepareDeliveryQueries } from '../../src/deliveries/sqlite-queries.ts';
import { prepareEventQueries, preparePruning } from '../../src/events/sqlite.ts';
import { tagsMax } from '../../src/plants/paging.ts';
import { preparePlantQueries } from '../../src/plants/sqlite.ts';
import { createPlantLists } from '../../src/plants/sqlite-lists.ts';
import type { SqliteClient, SqliteStatement } from '../../src/runtime/runtime.ts';
import { connect, memory } from '../../src/sqlite/client.ts';
import { migrate } from '../../src/sqlite/migrate.ts';

const database = connect(memory);
migrate(database);
/** The SQL of each statement that has run. */
const ran: string[] = [];
let isRunning = true;
const client: SqliteClient = {
  ...database,
  prepare: <Row, Values>(sql: string) => {
    const statement = database.prepare<Row, Values>(sql);
    const logged: SqliteStatement<Row, Values> = {
      run: (values) => {
        ran.push(sql);
        return isRunning ? statement.run(values) : { changes: 0 };
      },
      all: (values) => {
        ran.push(sql);
        return isRunning ? statement.all(values) : [];
      },
    };
    return logged;
  },
};
const plants = preparePlantQueries(client);
const events = prepareEventQueries(client);
const deliveries = prepareDeliveryQueries(client);

const planOfSql = (sql: string): string => {
  const names = [...sql.matchAll(/\$(\w+)/g)].map(([, name]) => [name, null]);
  return database
    .prepare<{ detail: string }, object>(`EXPLAIN QUERY PLAN ${sql}`)
    .all(Object.fromEntries(names))
    .map(({ detail }) => detail)
    .join('; ');
};

/** The plans of the statements that this runs, except statements without a plan, such as the insertion of a row. */
const plansOf = (run: () => unknown): string[] => {
  ran.length = 0;
  run();
  return ran.map(planOfSql).filter((plan) => plan !== '');
};

/** The plan of a statement. It does not run. */
const planOf = (prepare: () => { run(values: never): unknown }): string => {
  isRunning = false;
  const plans = plansOf(() => prepare().run({} as never));
  isRunning = true;
  return plans.join('; ');
};

const byKey = 'USING INTEGER PRIMARY KEY (rowid=?)';
const primaryKey = 'sqlite_autoindex_deliveries_1';
const ofWebhook = `SEARCH deliveries USING INDEX ${primaryKey}`;
const whenDue = 'SEARCH deliveries USING INDEX deliveries_due';

describe('plants', () => {
  test.each([
    ['a page from any place on', plants.page, 'SEARCH plants USING INTEGER PRIMARY KEY (rowid>?)'],
    ['one plant', plants.byId, `SEARCH plants ${byKey}`],
    ['a change', plants.replace, `SEARCH plants ${byKey}`],
    ['a removal', plants.remove, `SEARCH plants ${byKey}`],
  ])('the query for %s of plants uses an index and sorts nothing', (_what, query, plan) => {
    expect(planOf(query)).toBe(plan);
  });
});

describe('lists of plants', () => {
  const lists = createPlantLists(client);
  const place = { id: 1n, createdAt: '1' };
  const byId = 'SEARCH plants USING INTEGER PRIMARY KEY';
  const ofTag = (operator: string) => `SEARCH plants USING INDEX plants_tag (tag=? AND rowid${operator}?)`;
  const keysOfTag = (operator: string) => ofTag(operator).replace('USING INDEX', 'USING COVERING INDEX');
  const ofTime = (operator: string) =>
    `MERGE (UNION ALL); LEFT; SEARCH plants USING INDEX plants_created_at (created_at=? AND rowid${operator}?); RIGHT; SEARCH plants USING INDEX plants_created_at (created_at${operator}?)`;
  const keysOfTime = (operator: string) => ofTime(operator).replaceAll('USING INDEX', 'USING COVERING INDEX');
  const looked = (plan: string) => `CO-ROUTINE scanned; ${plan}; SCAN scanned`;
  const counted = (plan: string) => `CO-ROUTINE counted; ${plan}; SCAN counted`;

  test.each<[string, () => unknown, string[]]>([
    ['id', () => lists.list({ limit: 1, after: place }), [`${byId} (rowid>?)`, `${byId} (rowid>? AND rowid<?)`]],
    [
      'id and a tag',
      () => lists.list({ limit: 1, tags: ['a'] }),
      [keysOfTag('>'), ofTag('>').replace('rowid>?', 'rowid>? AND rowid<?')],
    ],
    ['-id', () => lists.list({ limit: 1, order: '-id', after: place }), [`${byId} (rowid<?)`]],
    ['-id and a tag', () => lists.list({ limit: 1, order: '-id', tags: ['a'] }), [ofTag('<')]],
    [
      'id and two tags',
      () => lists.list({ limit: 1, tags: ['a', 'b'] }),
      [`MERGE (UNION ALL); LEFT; ${ofTag('>')}; RIGHT; ${ofTag('>')}`],
    ],
    ['createdAt', () => lists.list({ limit: 1, order: 'createdAt', after: place }), [ofTime('>')]],
    ['-createdAt', () => lists.list({ limit: 1, order: '-createdAt', after: place }), [ofTime('<')]],
    ['id and a name', () => lists.list({ limit: 1, name: 'a' }), [looked(`${byId} (rowid>?)`), `${byId} (rowid>?)`]],
    [
      '-createdAt, a name and a tag',
      () => lists.list({ limit: 1, order: '-createdAt', name: 'a', tags: ['a'] }),
      [looked(ofTime('<')), keysOfTime('<')],
    ],
    ['the number of all', () => lists.countUpTo(1), [counted(`${byId} (rowid>?)`)]],
    ['the number of a tag', () => lists.countUpTo(1, ['a']), [counted(keysOfTag('>'))]],
  ])('the queries for %s use an index and sort nothing', (_what, run, plans) => {
    expect(plansOf(run)).toEqual(plans);
  });

  test('the most tags, in every order by id, use the index of tags, once for each, and sort nothing', () => {
    const tags = Array.from({ length: tagsMax }, (_, index) => `${index}`);
    for (const order of ['id', '-id'] as const) {
      const [plan = ''] = plansOf(() => lists.list({ limit: 1, order, tags }));
      expect(plan.match(/SEARCH plants USING INDEX plants_tag/g)).toHaveLength(tagsMax);
      expect(plan).not.toMatch(/TEMP B-TREE|SCAN plants/);
    }
  });
});

describe('events', () => {
  test.each([
    ['a page from any place on', events.page, 'SEARCH events USING INTEGER PRIMARY KEY (rowid>?)'],
    ['a page of a type', events.pageOfType, 'SEARCH events USING INDEX events_type (type=? AND rowid>?)'],
    ['a page backwards', events.pageBefore, 'SEARCH events USING INTEGER PRIMARY KEY (rowid<?)'],
    [
      'a page of a type backwards',
      events.pageOfTypeBefore,
      'SEARCH events USING INDEX events_type (type=? AND rowid<?)',
    ],
    ['one event', events.bySequence, `SEARCH events ${byKey}`],
    // By the rowid, up to the first match.
    ['the oldest', events.oldest, 'SCAN events'],
    ['the newest', events.newest, 'SCAN events'],
  ])('the query for %s of the log uses an index and sorts nothing', (_what, query, plan) => {
    expect(planOf(query)).toBe(plan);
  });
});

describe('deliveries', () => {
  const byId = 'SEARCH events USING INTEGER PRIMARY KEY (rowid=?) LEFT-JOIN';
  const place = { sequence: 1n, number: 1n };
  const range = { webhookId: 'w', after: 1n, limit: 1 };
  const tried = `SEARCH deliveries USING COVERING INDEX ${primaryKey} (webhook_id=? AND sequence=? AND number=?) LEFT-JOIN`;
  test.each<[string, () => unknown, string[]]>([
    ['one', () => deliveries.find('w', place), [`${ofWebhook} (webhook_id=? AND sequence=? AND number=?); ${byId}`]],
    [
      'a page from any place on',
      () => deliveries.page('w', place, 1),
      [`${ofWebhook} (webhook_id=? AND (sequence,number)<(?,?)); ${byId}`],
    ],
    [
      'a page of a state',
      () => deliveries.pageOfState('failed', { ...place, webhookId: 'w' }, 1),
      [`SEARCH deliveries USING INDEX deliveries_state (state=? AND (sequence,number,webhook_id)<(?,?,?)); ${byId}`],
    ],
    [
      'the number of a state',
      () => deliveries.countOfState('failed', 1),
      ['CO-ROUTINE counted; SEARCH deliveries USING COVERING INDEX deliveries_state (state=?); SCAN counted'],
    ],
    [
      'those due: requested, scheduled, and scheduled too late',
      () => deliveries.due('w', { now: '1', latest: '1', limit: 1 }),
      [
        `SEARCH deliveries USING INDEX deliveries_requested (webhook_id=? AND requested_at>?); ${byId}`,
        `${whenDue} (webhook_id=? AND next_attempt_at<?); ${byId}`,
        `${whenDue} (webhook_id=? AND next_attempt_at>?); ${byId}`,
      ],
    ],
    ['the next one', () => deliveries.nextDue('w'), [`${whenDue} (webhook_id=? AND next_attempt_at>?)`]],
    ['the untried', () => deliveries.log().all(range), [`SEARCH events USING INTEGER PRIMARY KEY (rowid>?); ${tried}`]],
    [
      'the untried of a type',
      () => deliveries.logOfType().all({ ...range, type: 'plant.created' }),
      [`SEARCH events USING INDEX events_type (type=? AND rowid>?); ${tried}`],
    ],
    // By the number, only the newest.
    [
      'the newest test message',
      () => deliveries.newestTestMessage(),
      ['SEARCH deliveries USING INDEX deliveries_tests'],
    ],
    [
      'the pending test messages',
      () => deliveries.countPendingTestMessages('w'),
      ['SEARCH deliveries USING INDEX deliveries_tests_pending (webhook_id=?)'],
    ],
    [
      'a cursor',
      () => deliveries.lookUpTestMessage(1n),
      ['SEARCH deliveries USING INDEX deliveries_tests (number=?)', 'SEARCH deliveries USING INDEX deliveries_tests'],
    ],
    [
      'those removed with a webhook',
      () => deliveries.removePendingTestMessages('w'),
      ['SEARCH deliveries USING INDEX deliveries_tests_pending (webhook_id=?)'],
    ],
    [
      'the old test messages',
      () => deliveries.removeSettledTestMessages('1', 1),
      [
        'SEARCH deliveries USING INTEGER PRIMARY KEY (rowid=?); LIST SUBQUERY 1; SEARCH deliveries USING INDEX deliveries_tests_settled (timestamp<?)',
      ],
    ],
  ])('the queries for %s of the deliveries use an index and sort nothing', (_what, run, plans) => {
    expect(plansOf(run)).toEqual(plans);
  });
});

describe('pruning', () => {
  test('each query of a pruning uses an index and sorts nothing, and only the few webhooks are read as a whole', () => {
    client.run(`INSERT INTO webhooks (id, url, events, secrets, position, created_at)
      VALUES ('w', 'https://a.test', 'plant.created', '[]', 2, '1')`);
    for (const sequence of [1, 2]) {
      client.run(`INSERT INTO events (sequence, type, timestamp) VALUES (${sequence}, 'plant.deleted', '1')`);
      client.run(
        `INSERT INTO deliveries (webhook_id, sequence, attempts, attempts_in_round, state)
          VALUES ('w', ${sequence}, '[]', 1, 'failed')`,
      );
    }
    const nextWebhook = 'SEARCH deliveries USING COVERING INDEX sqlite_autoindex_deliveries_1 (webhook_id>?)';
    const [removeSettled, ...plans] = plansOf(() =>
      expect(preparePruning(client, { events, deliveries })('2', 10)).toBe(1),
    );
    expect(removeSettled).toContain('deliveries_tests_settled');
    expect(plans).toEqual([
      'SCAN events',
      'SCAN webhooks',
      'SCAN events',
      // Up to the first pending delivery.
      `${ofWebhook} (webhook_id=? AND sequence<?)`,
      nextWebhook,
      `${ofWebhook} (webhook_id=? AND sequence<?)`,
      nextWebhook,
      'SEARCH events USING INTEGER PRIMARY KEY (rowid<?)',
    ]);
  });
});

test('the plan of a query that sorts shows the sort', () => {
  expect(planOfSql('SELECT * FROM plants ORDER BY name')).toContain('USE TEMP B-TREE');
});

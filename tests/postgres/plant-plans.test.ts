/** The cost of a list of plants does not grow with the table: each query reads indexes in their order, and sorts nothing. */
import { afterAll, beforeAll, describe, expect, test } from 'bun:test';
import { plantOrders } from '../../src/plants/order.ts';
import { type PlantPage, tagsMax } from '../../src/plants/paging.ts';
import { parsePostgresUrl } from '../../src/postgres/driver/url.ts';
import { migrate } from '../../src/postgres/migrate.ts';
import { countPlantsUpTo, findPlantPage } from '../../src/postgres/plant-lists.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import { connect } from '../../src/postgres/session/connect.ts';
import type { Session } from '../../src/postgres/session/session.ts';
import { bareDatabase, type TestDatabase } from '../support/postgres/postgres-database.ts';

let database: TestDatabase;
let session: Session;

beforeAll(async () => {
  database = await bareDatabase();
  session = await connect(addressesOf(parsePostgresUrl(database.url)), async (session) => {
    await migrate(session, { create: true });
  });
  const { query } = session;
  await query(`INSERT INTO plants SELECT n, 'n' || n, 't' || (n % 3), '2026-01-' || (n / 1000), 'u'
    FROM generate_series(1, 30000) n`);
  await query('ANALYZE');
});

afterAll(async () => {
  session.close();
  await database[Symbol.asyncDispose]();
});

/** The plan of the one statement that this sends. */
const planOf = async (send: (session: Session) => Promise<unknown>): Promise<string> => {
  const plans: string[] = [];
  await send({
    ...session,
    query: async <Row>(...[text, values = []]: Parameters<Session['query']>) => {
      // The session has one plan for all values, as for every statement.
      await session.simple(`PREPARE page AS ${text}`);
      const rows = await session.query<{ 'QUERY PLAN': string }>(
        `EXPLAIN (COSTS OFF) EXECUTE page${values.length > 0 ? `(${values.map(toLiteral).join()})` : ''}`,
      );
      await session.simple('DEALLOCATE page');
      plans.push(rows.map((row) => row['QUERY PLAN'].trim()).join('\n'));
      return session.query<Row>('SELECT WHERE false');
    },
  });
  expect(plans).toHaveLength(1);
  return plans.join();
};

const toLiteral = (value: unknown): string => (typeof value === 'string' ? `'${value}'` : `${value}`);

const place = { id: 15_000n, createdAt: '2026-01-15' };
const tagged = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);

const scanOf = (index: string) => new RegExp(`Index (?:Only )?Scan (?:Backward )?using ${index}`);

describe('the plan of a list of plants', () => {
  test.each([...plantOrders])('by %s uses its index for every filter, and sorts nothing', async (order) => {
    const index = order.endsWith('createdAt') ? 'plants_created_at' : 'plants_pkey';
    const byTag = index === 'plants_pkey' ? 'plants_tag' : index;
    const all = { limit: 100, order };
    const pages: [PlantPage, string][] = [
      [all, index],
      [{ ...all, after: place }, index],
      [{ ...all, after: place, name: 'n2' }, index],
      [{ ...all, after: place, name: 'n2', tags: tagged(1) }, byTag],
      [{ ...all, after: place, name: 'n2', tags: tagged(3) }, index],
      [{ ...all, tags: tagged(1) }, byTag],
      [{ ...all, after: place, tags: tagged(1) }, byTag],
    ];
    for (const [page, used] of pages) {
      const plan = await planOf((one) => findPlantPage(one, page));
      expect([page, plan]).toEqual([page, expect.stringMatching(scanOf(used))]);
      expect([page, plan]).toEqual([page, expect.not.stringMatching(/Sort|Seq Scan|Bitmap/)]);
    }
  });

  test('by id of several tags sorts only the rows of a page of each tag', async () => {
    for (const order of ['id', '-id'] as const) {
      const page = { limit: 100, order, after: place, tags: tagged(tagsMax) };
      const plan = await planOf((one) => findPlantPage(one, page));
      expect(plan).toMatch(/^Limit\n-> {2}Sort\nSort Key: .*id.*\n-> {2}Append\n/);
      expect(plan.match(/-> {2}Limit\n-> {2}Index Scan (?:Backward )?using plants_tag/g)).toHaveLength(tagsMax);
      expect(plan).not.toMatch(/Seq Scan|Bitmap/);
    }
  });

  test('of a count uses an index, and sorts nothing', async () => {
    for (const tags of [[], ['t2']]) {
      const plan = await planOf((one) => countPlantsUpTo(one, 1001, tags));
      expect(plan).toMatch(scanOf(tags.length > 0 ? 'plants_tag' : 'plants_pkey'));
      expect(plan).not.toMatch(/Sort|Seq Scan|Bitmap/);
    }
    const plan = await planOf((one) => countPlantsUpTo(one, 1001, tagged(3)));
    expect(plan.match(/-> {2}Limit\n-> {2}Index Only Scan using plants_tag/g)).toHaveLength(3);
    expect(plan).not.toMatch(/Seq Scan|Bitmap/);
  });

  test('shows a sort', async () => {
    const sorted = planOf(({ query }) => query('SELECT * FROM plants ORDER BY name'));
    expect(await sorted).toContain('Sort');
  });
});

/** What a page costs does not grow with its depth or with the table: each query goes to its place by an index and sorts nothing. */
import { expect, test } from 'bun:test';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { connect, memory } from '../src/store/sqlite/connection.ts';
import { migrate } from '../src/store/sqlite/migrate.ts';
import { preparePlantQueries } from '../src/store/sqlite/plant-queries.ts';

const client = connect(memory);
migrate(client);
const queries = preparePlantQueries(drizzle({ client }));

const planOf = (query: { getQuery(): { sql: string } }): string =>
  client
    .query<{ detail: string }, []>(`EXPLAIN QUERY PLAN ${query.getQuery().sql}`)
    .all()
    .map(({ detail }) => detail)
    .join('; ');

test.each([
  ['a page, from any place on', queries.page, 'SEARCH plants USING INTEGER PRIMARY KEY (rowid>?)'],
  ['a page of a tag, from any place on', queries.pageOfTag, 'SEARCH plants USING INDEX plants_tag (tag=? AND rowid>?)'],
  ['one plant', queries.byId, 'SEARCH plants USING INTEGER PRIMARY KEY (rowid=?)'],
  ['a change', queries.replace, 'SEARCH plants USING INTEGER PRIMARY KEY (rowid=?)'],
  ['a removal', queries.remove, 'SEARCH plants USING INTEGER PRIMARY KEY (rowid=?)'],
])('%s', (_what, query, plan) => {
  expect(planOf(query)).toBe(plan);
});

test('a plan that sorts would be told', () => {
  expect(planOf({ getQuery: () => ({ sql: 'SELECT * FROM plants ORDER BY name' }) })).toContain('USE TEMP B-TREE');
});

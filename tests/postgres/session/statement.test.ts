/** The parts of Drizzle that the statements replace. Drizzle does not promise them, so its version is pinned. */
import { expect, test } from 'bun:test';
import { eq, getTableColumns, sql } from 'drizzle-orm';
import { plants } from '../../../src/postgres/db/tables.ts';
import type { PostgresQueries } from '../../../src/postgres/driver/driver.ts';
import { builder, prepare } from '../../../src/postgres/session/statement.ts';
import { placeholdersOf } from '../../../src/storage/columns.ts';

/** The query that a statement sends. */
const sentBy = (run: (queries: PostgresQueries) => unknown): unknown[] => {
  let sent: unknown[] = [];
  const query = async (...wanted: unknown[]): Promise<never> => {
    sent = wanted;
    return [] as never;
  };
  run({ query, simple: query });
  return sent;
};

const { id, createdAt } = getTableColumns(plants);
const own = { id, createdAt };
const isId = eq(id, sql.placeholder('id'));
const returned = 'returning "id", "created_at" as "createdAt"';

test.each([
  [
    'a selection',
    builder.select(own).from(plants).where(isId),
    'select "id", "created_at" as "createdAt" from "plants"',
  ],
  [
    'an insertion',
    builder
      .insert(plants)
      .values({ ...placeholdersOf(own), name: sql`'n'`, updatedAt: sql`''` })
      .returning(own),
    returned,
  ],
  ['an update', builder.update(plants).set({ name: sql`'n'` }).where(isId).returning(own), returned],
  ['a deletion', builder.delete(plants).where(isId).returning(own), returned],
])('the rows of %s have the names of the table', (_what, statement, text) => {
  const values = { id: 1n, createdAt: '1' };
  expect(sentBy((queries) => prepare<typeof values>()(statement)(queries, values))[0]).toContain(text);
});

test('the values of a statement are in the order of its parameters', () => {
  const update = prepare<{ name: string; id: bigint }>()(
    builder
      .update(plants)
      .set(placeholdersOf({ name: plants.name }))
      .where(isId),
  );
  expect(sentBy((queries) => update(queries, { id: 1n, name: 'n' }))).toEqual([
    'update "plants" set "name" = $1 where "plants"."id" = $2',
    ['n', 1n],
  ]);
});

test('Drizzle runs no statement', () => {
  expect(() => builder.select().from(plants).prepare('s')).toThrow('Drizzle runs no statement.');
});

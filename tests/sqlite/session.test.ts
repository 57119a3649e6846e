/** The parts of Drizzle that the session replaces. Drizzle does not promise them, so its version is pinned. */
import { afterEach, beforeEach, describe, expect, test } from 'bun:test';
import { eq, getTableColumns, sql } from 'drizzle-orm';
import { events, plants } from '../../db/sqlite.ts';
import { int64Max } from '../../src/base/int64.ts';
import type { SqliteClient } from '../../src/runtime/runtime.ts';
import { connect, memory } from '../../src/sqlite/client.ts';
import { migrate } from '../../src/sqlite/migrate.ts';
import { drizzle, withValues } from '../../src/sqlite/session.ts';
import { placeholdersOf } from '../../src/storage/columns.ts';

const columns = getTableColumns(plants);
const plant = { id: int64Max, name: 'n', tag: null, createdAt: '1', updatedAt: '2', picture: null };
const isId = eq(plants.id, sql.placeholder('id'));

let client: SqliteClient;
let db: ReturnType<typeof drizzle>;
beforeEach(() => {
  client = connect(memory);
  migrate(client);
  db = drizzle(client);
  withValues<typeof plant>()(() => db.insert(plants).values(placeholdersOf(columns)).prepare())().run(plant);
});
afterEach(() => client.close());

describe('rows have the names and the types of the table', () => {
  test.each([
    ['a selection', () => db.select().from(plants).where(isId).prepare(), plant],
    ['an insertion', () => db.insert(plants).values(other).returning().prepare(), { ...plant, id: 1n }],
    ['an update', () => db.update(plants).set({ updatedAt: two }).where(isId).returning().prepare(), plant],
    ['a deletion', () => db.delete(plants).where(isId).returning().prepare(), plant],
  ])('of %s', (_what, prepare, row) => {
    expect(withValues<{ id: bigint }>()(prepare)().get({ id: int64Max })).toEqual(row);
  });

  test('of a join, whose fields are named', () => {
    const query = db
      .select({ at: plants.createdAt, sequence: events.sequence, total: sql<bigint>`count(*)` })
      .from(plants)
      .leftJoin(events, eq(events.plantId, plants.id));
    expect(query.prepare().all()).toEqual([{ at: '1', sequence: null, total: 1n }]);
  });

  test('a row with rows in it is refused', () => {
    const query = db.select().from(plants).leftJoin(events, eq(events.plantId, plants.id));
    expect(() => query.prepare()).toThrow('The field plants of a row is not one column or expression.');
  });
});

/** Without a placeholder: these values are written into the statement. */
const two = sql`'2'`;
const other = { id: 1n, name: sql`'n'`, createdAt: sql`'1'`, updatedAt: two };

test('a statement returns the number of changed rows', () => {
  const remove = withValues<{ id: bigint }>()(() => db.delete(plants).where(isId).prepare());
  expect([remove().run({ id: 1n }).changes, remove().run({ id: int64Max }).changes]).toEqual([0, 1]);
});

test('a statement is prepared once, when it is first needed', () => {
  const prepared: string[] = [];
  const counting = drizzle({
    ...client,
    prepare: (text) => {
      prepared.push(text);
      return client.prepare(text);
    },
  });
  const byId = withValues<{ id: bigint }>()(() =>
    counting.select({ name: plants.name }).from(plants).where(isId).prepare(),
  );
  expect(prepared).toEqual([]);
  for (const id of [1n, int64Max]) byId().get({ id });
  expect(prepared).toEqual(['select "name" from "plants" where "plants"."id" = $id']);
});

test('a statement without one of its values is refused', () => {
  const byId = db.select().from(plants).where(isId).prepare();
  expect(() => byId.all({})).toThrow(/id/);
});

test('a question mark in a literal is no placeholder', () => {
  const text = sql`'? or ''?'''`;
  const find = withValues<{ id: bigint }>()(() =>
    db
      .select({ text: sql<string>`${text}` })
      .from(plants)
      .where(isId)
      .prepare(),
  );
  expect(find().all({ id: int64Max })).toEqual([{ text: "? or '?'" }]);
});

test('a text that is no placeholder is refused', () => {
  const query = db.select().from(plants).where(eq(plants.tag, 'tropical'));
  expect(() => query.prepare()).toThrow('neither a placeholder nor an integer');
});

test('transactions are not those of Drizzle', () => {
  expect(() => db.transaction(() => undefined)).toThrow('transactions.ts');
});

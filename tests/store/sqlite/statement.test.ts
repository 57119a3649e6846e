import { afterEach, beforeEach, expect, test } from 'bun:test';
import { eq, getTableColumns, sql } from 'drizzle-orm';
import { plants } from '../../../db/sqlite.ts';
import type { SqliteClient } from '../../../src/runtime/runtime.ts';
import { connect, memory } from '../../../src/sqlite/client.ts';
import { migrate } from '../../../src/sqlite/migrate.ts';
import { builder, preparerOf } from '../../../src/sqlite/statement.ts';
import { fieldsOf, placeholdersOf } from '../../../src/storage/columns.ts';

let client: SqliteClient;
beforeEach(() => {
  client = connect(memory);
  migrate(client);
});
afterEach(() => client.close());

test('a question mark in a literal is no placeholder', () => {
  const { id, name, tag } = getTableColumns(plants);
  const prepare = preparerOf(client);
  const text = sql`'? or ''?'''`;
  const insert = prepare<{ id: bigint; name: string }>(() =>
    builder
      .insert(plants)
      .values({ ...placeholdersOf({ id, name }), tag: text, createdAt: sql`''`, updatedAt: sql`''` }),
  );
  insert.run({ id: 1n, name: 'n' });
  const find = prepare<{ name: string }, { name: string; tag: string | null }>(() =>
    builder
      .select(fieldsOf({ name, tag }))
      .from(plants)
      .where(sql`${tag} = ${text} AND ${name} = ${sql.placeholder('name')}`),
  );
  expect(find.all({ name: 'n' })).toEqual([{ name: 'n', tag: "? or '?'" }]);
});

test('a text that is no placeholder is refused', () => {
  const prepare = preparerOf(client);
  const query = builder
    .select(fieldsOf(getTableColumns(plants)))
    .from(plants)
    .where(eq(plants.tag, 'tropical'));
  expect(() => prepare<void, object>(() => query).all()).toThrow('neither a placeholder nor an integer');
});

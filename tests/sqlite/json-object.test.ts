/** The JSON of a row, which SQLite writes. */
import { expect, test } from 'bun:test';
import { getTableColumns } from 'drizzle-orm';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { objectOfColumns } from '../../src/plants/sqlite-lists.ts';

const columnsOf = (optional: number) => {
  const others = Array.from({ length: optional }, (_, index) => [`o${index}`, text(`o${index}`)] as const);
  return getTableColumns(sqliteTable('rows', { id: integer('id').notNull(), ...Object.fromEntries(others) }));
};

test('more than 4 optional members are refused, since each doubles the statement', () => {
  expect(() => objectOfColumns(columnsOf(4))).not.toThrow();
  expect(() => objectOfColumns(columnsOf(5))).toThrow("Of 5 optional members, json_patch('{}', …) must remove nulls.");
});

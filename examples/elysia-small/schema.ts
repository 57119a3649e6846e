import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

// Plant Store: a column type of its own, with bigint, because `integer` rounds an id beyond 2^53.
export const plants = sqliteTable('plants', {
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  tag: text('tag'),
});

/** The libraries of the service with one route each: Elysia with a schema, SQLite with a Drizzle statement, and pino. */
import { Database } from 'bun:sqlite';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { Elysia, t } from 'elysia';
import { pino } from 'pino';

const plants = sqliteTable('plants', { id: integer('id').primaryKey(), name: text('name').notNull() });
const database = new Database(':memory:');
database.run('CREATE TABLE plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL)');
const byId = drizzle(database)
  .select()
  .from(plants)
  .where(eq(plants.id, sql.placeholder('id')))
  .prepare();
byId.all({ id: 1 });
const log = pino();
const app = new Elysia()
  .get('/healthz', () => 'ok')
  .get('/plants/:id', ({ params }) => byId.all(params), { params: t.Object({ id: t.Integer() }) });
const server = Bun.serve({
  hostname: '127.0.0.1',
  port: Number(process.env['PORT']),
  fetch: (request) => app.fetch(request),
});
log.info({ port: server.port }, 'listening');

/**
 * Fastify with its own validation and serialisation (https://fastify.dev/docs/latest/Reference/Validation-and-Serialization/), and
 * better-sqlite3 in WAL mode, as its guide recommends. SYNCHRONOUS says how durable: FULL or NORMAL.
 */
import Database from 'better-sqlite3';
import Fastify from 'fastify';

const db = new Database(process.env.DATABASE);
db.pragma('journal_mode = WAL');
db.pragma(`synchronous = ${process.env.SYNCHRONOUS}`);
db.exec('CREATE TABLE IF NOT EXISTS plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT)');
const insert = db.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
const get = db.prepare('SELECT id, name, tag FROM plants WHERE id = ?');
const list = db.prepare('SELECT id, name, tag FROM plants WHERE id > ? ORDER BY id LIMIT ?');

const plant = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    id: { type: 'integer' },
    name: { type: 'string', maxLength: 500 },
    tag: { type: 'string', maxLength: 100 },
  },
};

const app = Fastify();
app.post('/plants', { schema: { body: plant } }, async ({ body: { id, name, tag } }) => {
  insert.run(id, name, tag ?? null);
  return { name, tag };
});
app.get('/plants/:id', async ({ params: { id } }, reply) => get.get(id) ?? reply.code(404).send({ error: 404 }));
app.get('/plants', async ({ query: { limit = 100, after = -1 } }) => list.all(after, limit));
await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
console.log(`listening on ${process.env.PORT}`);

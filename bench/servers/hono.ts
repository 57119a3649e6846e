/** Hono with its validator (https://hono.dev/docs/guides/validation), and bun:sqlite in WAL mode. SYNCHRONOUS: FULL or NORMAL. */
import { Database } from 'bun:sqlite';
import { Hono } from 'hono';
import { validator } from 'hono/validator';

const db = new Database(process.env['DATABASE'] ?? '', { create: true, strict: true });
db.run('PRAGMA journal_mode = WAL');
db.run(`PRAGMA synchronous = ${process.env['SYNCHRONOUS']}`);
db.run('CREATE TABLE IF NOT EXISTS plants (id INTEGER PRIMARY KEY, name TEXT NOT NULL, tag TEXT)');
const insert = db.prepare('INSERT INTO plants (id, name, tag) VALUES (?, ?, ?) ON CONFLICT DO NOTHING');
const get = db.prepare('SELECT id, name, tag FROM plants WHERE id = ?');
const list = db.prepare('SELECT id, name, tag FROM plants WHERE id > ? ORDER BY id LIMIT ?');

interface Plant {
  readonly id: number;
  readonly name: string;
  readonly tag?: string;
}

const isPlant = (value: Partial<Plant>): value is Plant =>
  Number.isInteger(value.id) &&
  typeof value.name === 'string' &&
  value.name.length <= 500 &&
  (value.tag === undefined || (typeof value.tag === 'string' && value.tag.length <= 100));

const app = new Hono()
  .post(
    '/plants',
    validator('json', (value, c) => (isPlant(value) ? value : c.json({ error: 400 }, 400))),
    (c) => {
      const { id, name, tag } = c.req.valid('json');
      insert.run(id, name, tag ?? null);
      return c.json({ name, tag });
    },
  )
  .get('/plants/:id', (c) => {
    const plant = get.get(c.req.param('id'));
    return plant ? c.json(plant) : c.json({ error: 404 }, 404);
  })
  .get('/plants', (c) => c.json(list.all(c.req.query('after') ?? -1, c.req.query('limit') ?? 100)));

const server = Bun.serve({ port: Number(process.env['PORT']), fetch: app.fetch });
console.log(`listening on ${server.port}`);

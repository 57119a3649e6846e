/**
 * Fastify with node-postgres: named statements, which each connection prepares once. Statements that need not wait for each other
 * share a round trip (https://node-postgres.com/features/pipelining). CREATE selects how a plant is created: by a
 * `transaction` of several statements (https://node-postgres.com/features/transactions), or by a single `statement`.
 */
import pg from 'pg';
import { serve, toPlant } from './fastify-app.mjs';

// Ids are validated to be safe integers.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);
// Of 10, 20 and 50 connections, 10 were the fastest on two cores.
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10, pipeline: true });

const columns = 'id, name, tag, created_at, updated_at';
const insertPlant = `INSERT INTO plants (${columns}) VALUES ($1, $2, $3, $4, $4) ON CONFLICT DO NOTHING`;
const insertEvent = `INSERT INTO events (plant_id, name, tag, timestamp, type, sequence)
  SELECT $1::bigint, $2::text, $3::text, $4::text, 'plant.created', sequence FROM head`;
const texts = {
  findToken: 'SELECT scopes, expires_at AS "expiresAt", revoked_at AS "revokedAt" FROM tokens WHERE digest = $1',
  get: `SELECT ${columns} FROM plants WHERE id = $1`,
  list: `SELECT ${columns} FROM plants WHERE id > $1 ORDER BY id LIMIT $2`,
  insertPlant,
  insertEvent: `WITH head AS (UPDATE log_head SET sequence = sequence + 1 RETURNING sequence) ${insertEvent}`,
  insertBoth: `WITH
    inserted AS (${insertPlant} RETURNING id),
    head AS (UPDATE log_head SET sequence = sequence + 1 WHERE EXISTS (SELECT FROM inserted) RETURNING sequence)
    ${insertEvent}`,
};
const query = (target, name, ...values) => target.query({ name, text: texts[name], values });

const findToken = async (digest) => (await query(pool, 'findToken', digest)).rows[0];
const get = async (id) => (await query(pool, 'get', id)).rows.map(toPlant)[0];
const list = async (after, limit) => (await query(pool, 'list', after, limit)).rows.map(toPlant);

/** Only the last round trip locks the head of the log. Resolves to whether the plant is new. */
const insertInTransaction = async (...values) => {
  const client = await pool.connect();
  try {
    const [, { rowCount }] = await Promise.all([client.query('BEGIN'), query(client, 'insertPlant', ...values)]);
    const inserts = rowCount === 1 ? [query(client, 'insertEvent', ...values)] : [];
    await Promise.all([...inserts, client.query('COMMIT')]);
    client.release();
    return rowCount === 1;
  } catch (error) {
    // The server rolls back when the connection is closed.
    client.release(error);
    throw error;
  }
};

const insertInStatement = async (...values) => (await query(pool, 'insertBoth', ...values)).rowCount === 1;

const insert = process.env.CREATE === 'transaction' ? insertInTransaction : insertInStatement;
const create = async (plant) =>
  (await insert(plant.id, plant.name, plant.tag, new Date().toISOString())) ? plant : await get(plant.id);

await serve({ findToken, create, get, list });

/** Each create has stored the plant and one event, and no other request has stored anything. */
import { Database } from 'bun:sqlite';
import { expect } from './client.ts';
import type { CreatedPlant } from './create-checks.ts';

export const checkRows = (path: string, created: readonly CreatedPlant[]): void => {
  using db = new Database(path, { readonly: true, safeIntegers: true });
  const mode = db.query('PRAGMA journal_mode').get();
  expect('journal_mode=WAL', Bun.deepEquals(mode, { journal_mode: 'wal' }), JSON.stringify(mode));

  const rows = created.map(({ id, name, tag = null }) => ({ id: BigInt(id), name, tag }));
  // A PocketBase record has a separate id, and its absent tag is an empty one.
  const columns = db.query<{ name: string }, []>("SELECT name FROM pragma_table_info('plants')").all();
  const id = columns.some(({ name }) => name === 'number') ? 'number' : 'id';
  const plants = db.query(`SELECT ${id} AS id, name, nullif(tag, '') AS tag FROM plants ORDER BY 1`).all();
  expect('a row for each plant', Bun.deepEquals(plants, rows.toSorted(byId)), `${plants.length} of ${rows.length}`);

  const events = db.query("SELECT plant_id AS id, name, nullif(tag, '') AS tag FROM events ORDER BY plant_id").all();
  expect('one event for each plant', Bun.deepEquals(events, rows.toSorted(byId)), `${events.length} of ${rows.length}`);

  const matching = db
    .query<{ count: bigint }, []>(
      `SELECT count(*) AS count FROM plants JOIN events ON plant_id = plants.${id}
       WHERE created_at = timestamp AND updated_at = timestamp AND type = 'plant.created'`,
    )
    .get();
  expect(
    'the type and the time of each event',
    matching?.count === BigInt(rows.length),
    `${matching?.count} of ${rows.length}`,
  );
};

const byId = (one: { readonly id: bigint }, other: { readonly id: bigint }): number => Number(one.id - other.id);

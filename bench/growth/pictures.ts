import { Database } from 'bun:sqlite';
import { SQL } from 'bun';
import { readPicture } from '../../src/pictures/file.ts';
import { newPicture } from './service.ts';
import type { EngineName } from './sizes.ts';

export type Fill = (engine: EngineName, database: string) => Promise<void>;

const batchRows = 1000;

/** Gives each plant a picture by direct inserts, all the same one: an upload of each would take hours. */
export const fillWithPictures: Fill = async (engine, database) => {
  const { picture, content } = readPicture('image/png', newPicture());
  const known = JSON.stringify(picture);
  if (engine === 'PostgreSQL') {
    await using sql = new SQL(database, { max: 1 });
    await sql`INSERT INTO pictures (plant_id, content) SELECT id, ${content}::bytea FROM plants`;
    await sql`UPDATE plants SET picture = ${known}`;
    return;
  }
  using client = new Database(database, { strict: true });
  client.run('PRAGMA synchronous = OFF');
  const plants = client.query<{ plants: number }, []>('SELECT count(*) AS plants FROM plants').get()?.plants ?? 0;
  const insert = client.query(
    'INSERT INTO pictures (plant_id, content) SELECT id, ? FROM plants WHERE id > ? AND id <= ?',
  );
  for (let id = 0; id < plants; id += batchRows) insert.run(content, id, id + batchRows);
  client.run('UPDATE plants SET picture = ?', [known]);
};

/** The beginning and the end of every run of faults: a database with a token, and a check of the remaining file. */
import { Database } from 'bun:sqlite';
import { runProgram } from '../../support/programs/process.ts';

/** Creates a database and returns the headers of a client with every scope. */
export const createDatabase = async (path: string): Promise<Readonly<Record<string, string>>> => {
  const { stdout, stderr } = await runProgram(['token', 'create', '--name', 'faults', '--database', path]);
  if (!stdout.startsWith('plant_')) throw new Error(`There is no token: ${stderr}`);
  return { authorization: `Bearer ${stdout.trim()}`, 'content-type': 'application/json' };
};

export interface Findings {
  readonly isWhole: boolean;
  /** The name of each plant, by id. */
  readonly plants: ReadonlyMap<number, string>;
  /** Whether a replay of the log of events gives these plants. */
  readonly isLogTrue: boolean;
  /** The number of events in the log. */
  readonly events: number;
}

/** Opens the database, which SQLite recovers, and reads all of it. */
export const inspectDatabase = (path: string): Findings => {
  using client = new Database(path, { safeIntegers: false });
  const isWhole = client.query('PRAGMA integrity_check').values().flat().join() === 'ok';
  const rows = client.query<Row, []>('SELECT id, name, tag FROM plants').all();
  const kept = new Map(rows.map(({ id, name, tag }) => [id, { name, tag }]));
  const played = new Map<number, Omit<Row, 'id'>>();
  let isLogTrue = true;
  const events = client
    .query<Row & { type: string }, []>('SELECT type, plant_id AS id, name, tag FROM events ORDER BY sequence')
    .all();
  for (const { type, id, name, tag } of events) {
    if ((type === 'plant.created') === played.has(id)) isLogTrue = false;
    if (type === 'plant.deleted') played.delete(id);
    else played.set(id, { name, tag });
  }
  const plants = new Map(rows.map(({ id, name }) => [id, name]));
  return { isWhole, plants, isLogTrue: isLogTrue && Bun.deepEquals(kept, played), events: events.length };
};

/** Makes the leases of webhooks expire, as if their owner had been killed ten seconds ago. */
export const expireLeases = (path: string): void => {
  using client = new Database(path);
  client.run('UPDATE webhooks SET lease_expires_at = ? WHERE lease_owner IS NOT NULL', [new Date(0).toISOString()]);
  client.run('DELETE FROM senders');
};

interface Row {
  readonly id: number;
  readonly name: string;
  readonly tag: string | null;
}

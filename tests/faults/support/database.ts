/** The beginning and the end of every run of faults: a database with a token, and a check of the remaining file. */
import { Database } from 'bun:sqlite';
import { hash } from 'node:crypto';
import { runProgram } from '../../support/programs/process.ts';
import { auditRows, type StoredRows } from '../../support/store/log-audit.ts';

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
  /** The SHA-256 of the bytes of each picture in hexadecimal, by the id of its plant. */
  readonly pictures: ReadonlyMap<number, string>;
  /** Whether a replay of the log of events gives these plants and pictures: see `auditRows`. */
  readonly isLogTrue: boolean;
  /** The number of events in the log. */
  readonly events: number;
}

/** Opens the database, which SQLite recovers, and reads all of it. */
export const inspectDatabase = (path: string): Findings => {
  using client = new Database(path, { safeIntegers: false });
  const isWhole = client.query('PRAGMA integrity_check').values().flat().join() === 'ok';
  const all = <Row>(query: string): Row[] => client.query<Row, []>(query).all();
  const plants = all<StoredRows['plants'][0]>('SELECT CAST(id AS TEXT) AS id, name, tag, picture FROM plants');
  const pictures = all<{ id: string; content: Uint8Array }>(
    'SELECT CAST(plant_id AS TEXT) AS id, content FROM pictures',
  ).map(({ id, content }) => ({ id, digest: hash('sha256', content, 'hex') }));
  const events = all<StoredRows['events'][0]>(
    `SELECT CAST(sequence AS TEXT) AS sequence, type, CAST(plant_id AS TEXT) AS id, name, tag, picture FROM events
      ORDER BY events.sequence`,
  );
  return {
    isWhole,
    plants: new Map(plants.map(({ id, name }) => [Number(id), name])),
    pictures: new Map(pictures.map(({ id, digest }) => [Number(id), digest])),
    isLogTrue: auditRows({ plants, pictures, events }).length === 0,
    events: events.length,
  };
};

/** Makes the leases of webhooks expire, as if their owner had been killed ten seconds ago. */
export const expireLeases = (path: string): void => {
  using client = new Database(path);
  client.run('UPDATE webhooks SET lease_expires_at = ? WHERE lease_owner IS NOT NULL', [new Date(0).toISOString()]);
  client.run('DELETE FROM senders');
};

/** The tables of `schema.sql` in bun:sqlite. It is synchronous, so each create is a separate transaction with its own sync. */
import { Database } from 'bun:sqlite';
import schema from '../schema.sql' with { type: 'text' };

export interface Token {
  /** Separated by spaces. */
  readonly scopes: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
}

export interface NewPlant {
  readonly id: number;
  readonly name: string;
  readonly tag: string | undefined;
}

export interface PlantRow {
  readonly id: number;
  readonly name: string;
  readonly tag: string | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export type Store = ReturnType<typeof openStore>;

export const openStore = (path: string) => {
  const db = new Database(path, { create: true, strict: true });
  db.run('PRAGMA busy_timeout = 5000');
  db.run('PRAGMA journal_mode = WAL');
  db.run('PRAGMA synchronous = FULL');
  db.run(schema);

  const insertToken = db.prepare<void, [string, string]>('INSERT INTO tokens (digest, scopes) VALUES (?, ?)');
  const selectToken = db.prepare<Token, [string]>(
    'SELECT scopes, expires_at AS expiresAt, revoked_at AS revokedAt FROM tokens WHERE digest = ?',
  );
  const insertPlant = db.prepare<void, [number, string, string | null, string, string]>(
    'INSERT INTO plants (id, name, tag, created_at, updated_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const insertEvent = db.prepare<void, [string, number, string, string | null]>(
    "INSERT INTO events (type, timestamp, plant_id, name, tag) VALUES ('plant.created', ?, ?, ?, ?)",
  );
  const columns = 'id, name, tag, created_at AS createdAt, updated_at AS updatedAt';
  const selectPlant = db.prepare<PlantRow, [number]>(`SELECT ${columns} FROM plants WHERE id = ?`);
  const selectPage = db.prepare<PlantRow, [number, number]>(
    `SELECT ${columns} FROM plants WHERE id > ? ORDER BY id LIMIT ?`,
  );

  const insert = db.transaction(({ id, name, tag, createdAt, updatedAt }: PlantRow): boolean => {
    const isNew = insertPlant.run(id, name, tag, createdAt, updatedAt).changes === 1;
    if (isNew) insertEvent.run(createdAt, id, name, tag);
    return isNew;
  });

  return {
    addToken: (digest: string, scopes: string): void => {
      insertToken.run(digest, scopes);
    },
    findToken: (digest: string): Token | null => selectToken.get(digest),
    /** Returns the plant that has the id afterwards: the new one or the existing one. */
    createPlant: ({ id, name, tag }: NewPlant): PlantRow | null => {
      const now = new Date().toISOString();
      const row = { id, name, tag: tag ?? null, createdAt: now, updatedAt: now };
      return insert(row) ? row : selectPlant.get(id);
    },
    getPlant: (id: number): PlantRow | null => selectPlant.get(id),
    listPlants: (after: number, limit: number): PlantRow[] => selectPage.all(after, limit),
  };
};

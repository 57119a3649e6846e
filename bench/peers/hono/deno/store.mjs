/** The tables of `schema.sql` in node:sqlite. It is synchronous, so each create is a separate transaction with its own sync. */
import { DatabaseSync } from 'node:sqlite';
import schema from '../../schema.sql' with { type: 'text' };

export const openStore = (path) => {
  const db = new DatabaseSync(path, { timeout: 5000 });
  db.exec('PRAGMA journal_mode = WAL');
  db.exec('PRAGMA synchronous = FULL');
  db.exec(schema);

  const begin = db.prepare('BEGIN IMMEDIATE');
  const commit = db.prepare('COMMIT');
  const rollback = db.prepare('ROLLBACK');
  const insertToken = db.prepare('INSERT INTO tokens (digest, scopes) VALUES (?, ?)');
  const selectToken = db.prepare(
    'SELECT scopes, expires_at AS expiresAt, revoked_at AS revokedAt FROM tokens WHERE digest = ?',
  );
  const insertPlant = db.prepare(
    'INSERT INTO plants (id, name, tag, created_at, updated_at) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING',
  );
  const insertEvent = db.prepare(
    "INSERT INTO events (type, timestamp, plant_id, name, tag) VALUES ('plant.created', ?, ?, ?, ?)",
  );
  const columns = 'id, name, tag, created_at AS createdAt, updated_at AS updatedAt';
  const selectPlant = db.prepare(`SELECT ${columns} FROM plants WHERE id = ?`);
  const selectPage = db.prepare(`SELECT ${columns} FROM plants WHERE id > ? ORDER BY id LIMIT ?`);

  const insert = ({ id, name, tag, createdAt, updatedAt }) => {
    begin.run();
    try {
      const isNew = insertPlant.run(id, name, tag, createdAt, updatedAt).changes === 1;
      if (isNew) insertEvent.run(createdAt, id, name, tag);
      commit.run();
      return isNew;
    } catch (error) {
      if (db.isTransaction) rollback.run();
      throw error;
    }
  };

  return {
    addToken: (digest, scopes) => {
      insertToken.run(digest, scopes);
    },
    findToken: (digest) => selectToken.get(digest) ?? null,
    /** Returns the plant that has the id afterwards: the new one or the existing one. */
    createPlant: ({ id, name, tag }) => {
      const now = new Date().toISOString();
      const row = { id, name, tag: tag ?? null, createdAt: now, updatedAt: now };
      return insert(row) ? row : (selectPlant.get(id) ?? null);
    },
    getPlant: (id) => selectPlant.get(id) ?? null,
    listPlants: (after, limit) => selectPage.all(after, limit),
  };
};

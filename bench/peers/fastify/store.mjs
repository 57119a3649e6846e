/** The tables of `schema.sql` in better-sqlite3. It is synchronous, so each create is a separate transaction with its own sync. */
import { readFileSync } from 'node:fs';
import Database from 'better-sqlite3';

export const openStore = (path) => {
  const db = new Database(path);
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec(readFileSync(new URL('../schema.sql', import.meta.url), 'utf8'));

  const insertToken = db.prepare('INSERT INTO tokens (digest, scopes) VALUES (?, ?)');
  const selectToken = db.prepare(
    'SELECT scopes, expires_at AS expiresAt, revoked_at AS revokedAt FROM tokens WHERE digest = ?',
  );
  const insertPlant = db.prepare(
    `INSERT INTO plants (id, name, tag, created_at, updated_at)
     VALUES (@id, @name, @tag, @createdAt, @updatedAt) ON CONFLICT DO NOTHING`,
  );
  const insertEvent = db.prepare(
    `INSERT INTO events (type, timestamp, plant_id, name, tag) VALUES ('plant.created', @createdAt, @id, @name, @tag)`,
  );
  const columns = 'id, name, tag, created_at AS createdAt, updated_at AS updatedAt';
  const selectPlant = db.prepare(`SELECT ${columns} FROM plants WHERE id = ?`);
  const selectPage = db.prepare(`SELECT ${columns} FROM plants WHERE id > ? ORDER BY id LIMIT ?`);

  const insert = db.transaction((row) => {
    const isNew = insertPlant.run(row).changes === 1;
    if (isNew) insertEvent.run(row);
    return isNew;
  });

  return {
    addToken: (digest, scopes) => insertToken.run(digest, scopes),
    findToken: (digest) => selectToken.get(digest),
    /** Returns the plant that has the id afterwards: the new one or the existing one. */
    createPlant: ({ id, name, tag = null }) => {
      const now = new Date().toISOString();
      const row = { id, name, tag, createdAt: now, updatedAt: now };
      return insert(row) ? row : selectPlant.get(id);
    },
    getPlant: (id) => selectPlant.get(id),
    listPlants: (after, limit) => selectPage.all(after, limit),
  };
};

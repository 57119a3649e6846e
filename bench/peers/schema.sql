-- The tables of every SQLite peer. A server creates them in a new file when it starts.
CREATE TABLE tokens (
  digest TEXT PRIMARY KEY, -- the SHA-256 of the token, in lower-case hex
  scopes TEXT NOT NULL, -- separated by spaces
  expires_at TEXT,
  revoked_at TEXT
) WITHOUT ROWID;

CREATE TABLE plants (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL,
  tag TEXT,
  created_at TEXT NOT NULL,
  updated_at TEXT NOT NULL
);
CREATE INDEX plants_tag ON plants (tag, id);
CREATE INDEX plants_created_at ON plants (created_at, id);

CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT,
  type TEXT NOT NULL,
  timestamp TEXT NOT NULL,
  plant_id INTEGER,
  name TEXT,
  tag TEXT
);

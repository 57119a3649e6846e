-- The tables of the peers on PostgreSQL: the same as Plant Store needs for these requests.
CREATE TABLE plants (
  id bigint PRIMARY KEY,
  name text COLLATE "C" NOT NULL,
  tag text COLLATE "C",
  created_at text COLLATE "C" NOT NULL,
  updated_at text COLLATE "C" NOT NULL
);
CREATE INDEX plants_tag ON plants (tag, id) WHERE tag IS NOT NULL;
CREATE INDEX plants_created_at ON plants (created_at, id);
CREATE TABLE events (
  sequence bigint PRIMARY KEY,
  type text COLLATE "C" NOT NULL,
  timestamp text COLLATE "C" NOT NULL,
  plant_id bigint,
  name text COLLATE "C",
  tag text COLLATE "C"
);
CREATE INDEX events_type ON events (type, sequence);
CREATE TABLE log_head (sequence bigint NOT NULL);
INSERT INTO log_head VALUES (0);
CREATE TABLE tokens (
  digest text COLLATE "C" PRIMARY KEY,
  scopes text[] NOT NULL,
  expires_at timestamptz,
  revoked_at timestamptz
);

/**
 * Brings a database to this program's schema, from inside the program. Before anything is written the file is looked at
 * through a read-only connection: one that is damaged, that is not ours, that a newer version has migrated or whose schema
 * was altered by hand is refused and left as it is. What then has to be applied is applied under SQLite's write lock, in
 * one transaction, so that two starters cannot both do it and a crash leaves all of it or nothing.
 */
import { Database } from 'bun:sqlite';
import { hash } from 'node:crypto';
import { statSync } from 'node:fs';
import { type Migration, sqliteMigrations } from '../../../db/migrations.ts';
import { asRefusal, refusal } from './file.ts';

/** "PLNT", where file(1) and SQLite's `application_id` look for the owner of a database. */
const applicationId = 0x504c4e54n;

/** Up to this size the whole file is checked at each start, in well under 100 ms; beyond it, only what is read. */
const checkedAtStartBytesMax = 16 * 1024 * 1024;

/**
 * Applies what is missing and returns the names of what it applied, in order. Writes nothing, and waits for no lock, where
 * nothing is. Rejects a schema that is not ours to touch.
 */
export const migrate = (client: Database, migrations = sqliteMigrations): string[] => {
  if (findPending(client, migrations).length === 0) return [];
  return client
    .transaction(() => {
      const pending = findPending(client, migrations);
      for (const migration of pending) apply(client, migration);
      client.run(`PRAGMA application_id = ${applicationId}`);
      return pending.map(({ name }) => name);
    })
    .immediate();
};

/**
 * Throws OperatorError, with the reason, unless `path` is a database that this program may open and migrate. Checks
 * every page of a file of up to `checkedBytesMax`.
 */
export const inspect = (path: string, { checkedBytesMax = checkedAtStartBytesMax } = {}): void => {
  const stat = statSync(path);
  if (!stat.isFile()) throw refusal('is not a file');
  const sizeBytes = stat.size;
  if (sizeBytes === 0) throw refusal('is empty: a database was lost or never written. Remove the file to start anew');
  let client: Database | undefined;
  try {
    client = new Database(path, { readonly: true, safeIntegers: true, strict: true });
    client.run('PRAGMA busy_timeout = 5000');
    if (readPragma(client, 'application_id') !== applicationId) throw refusal('belongs to another program');
    if (isCutOff(client, path, sizeBytes)) throw refusal('is damaged');
    if (sizeBytes <= checkedBytesMax && readPragma(client, 'quick_check(1)') !== 'ok') throw refusal('is damaged');
    findPending(client, sqliteMigrations);
  } catch (error) {
    throw asRefusal(error);
  } finally {
    client?.close();
  }
};

/** SQLite reads zeros for what is missing of the last page. While there is a log, that page may be whole in it. */
const isCutOff = (client: Database, path: string, sizeBytes: number): boolean => {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return (log?.size ?? 0) === 0 && sizeBytes % Number(readPragma(client, 'page_size')) !== 0;
};

const findPending = (client: Database, migrations: readonly Migration[]): readonly Migration[] => {
  const applied = readApplied(client);
  if (applied.length > migrations.length) throw refusal('was written by a newer version of this program');
  for (const [index, { name, hash }] of applied.entries()) {
    const known = migrations[index];
    if (known?.name !== name) throw refusal('was written by another version of this program');
    if (hashOf(known) !== hash) throw refusal('was migrated by an altered version of this program');
  }
  if (readSchema(client) !== schemaAfter(migrations.slice(0, applied.length))) {
    throw refusal('has a schema that was altered from outside');
  }
  return migrations.slice(applied.length);
};

const apply = (client: Database, migration: Migration): void => {
  for (const statement of migration.sql.split('--> statement-breakpoint')) client.run(statement);
  client.run('INSERT INTO schema_migrations (name, hash, applied_at) VALUES (?, ?, ?)', [
    migration.name,
    hashOf(migration),
    new Date().toISOString(),
  ]);
};

const readApplied = (client: Database): Pick<AppliedMigration, 'name' | 'hash'>[] =>
  client.query("SELECT name FROM sqlite_schema WHERE name = 'schema_migrations'").get()
    ? client.query<AppliedMigration, []>('SELECT name, hash FROM schema_migrations ORDER BY name').all()
    : [];

interface AppliedMigration {
  name: string;
  hash: string;
}

/** The schema as one text. SQLite's own tables do not count, nor do those that Litestream keeps in a database it copies. */
const readSchema = (client: Database): string =>
  client
    .query<{ sql: string }, []>(
      String.raw`SELECT coalesce(sql, name) AS sql FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' AND tbl_name NOT LIKE '\_litestream\_%' ESCAPE '\'
        ORDER BY type, name`,
    )
    .all()
    .map(({ sql }) => sql)
    .join('\n');

const schemaAfter = (migrations: readonly Migration[]): string => {
  using client = new Database(':memory:');
  for (const migration of migrations) apply(client, migration);
  return readSchema(client);
};

const hashOf = ({ sql }: Migration): string => hash('sha256', sql, 'hex');

const readPragma = (client: Database, pragma: string): unknown => client.query(`PRAGMA ${pragma}`).values()[0]?.[0];

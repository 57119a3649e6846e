/**
 * Migrates a database to this program's schema. First a read-only connection checks the file. A file that is damaged, belongs to another
 * program, or has a newer or altered schema is refused and not changed. The migrations then run in one transaction under SQLite's write
 * lock, so that only one process runs them, and a crash leaves all or none of them.
 */
import { statSync } from 'node:fs';
import { runtime } from '#runtime';
import sqliteMigrations from '../../db/migrations.json' with { type: 'json' };
import { isWritable } from '../base/file-system.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { type AppliedMigration, findPending, type Migration, olderSchema, statementsOf } from '../storage/migrate.ts';
import { closeOnFailure, lockExclusively, openAlsoOnFullDisk, openUnwritable, runInTransaction } from './client.ts';
import { checkPages, DamagedPages, isReadable } from './damage.ts';
import { DamagedLog, isDamage, openError, toOpenError } from './errors.ts';
import { isLogDamaged } from './log-damage.ts';

/** "PLNT", where file(1) and SQLite's `application_id` look for the owner of a database. */
const applicationId = 0x504c4e54n;

/** Larger files are not checked completely at each start. This size takes well under 100 ms. */
export const checkedAtStartBytesMax = 16 * 1024 * 1024;

/**
 * Applies the pending migrations and returns their names, in order. Without pending migrations it writes nothing and waits for no lock.
 * Throws OperatorError for a schema of another program.
 */
export const migrate = (client: SqliteClient, migrations = sqliteMigrations): string[] => {
  if (checkSchema(client, migrations).length === 0) return [];
  return runInTransaction(client, () => {
    const pending = checkSchema(client, migrations);
    for (const statement of pending.flatMap(statementsOf)) client.run(statement);
    client.run(`PRAGMA application_id = ${applicationId}`);
    return pending.map(({ name }) => name);
  });
};

/** Throws OperatorError unless the database has the schema of this program. */
export const expectMigrated = (client: SqliteClient): void => {
  if (checkSchema(client, sqliteMigrations).length > 0) throw openError(client.filename, olderSchema);
};

/**
 * Throws OperatorError, with the reason, unless this program may open the database at `path`, with an older schema if `acceptsOlder`
 * is set. Checks every page of a file that is not large.
 */
export const inspect = (path: string, { acceptsOlder = false } = {}): void => {
  try {
    tryToInspect(path, acceptsOlder);
  } catch (first) {
    if (!isDamage(first)) throw toOpenError(path, first);
    try {
      // A failed read looks like damage, and may succeed the second time.
      tryToInspect(path, acceptsOlder);
    } catch (error) {
      throw isReadable(path) ? toOpenError(path, error) : openError(path, 'cannot be opened: the disk has failed');
    }
  }
};

const tryToInspect = (path: string, acceptsOlder: boolean): void => {
  const stat = statSync(path);
  if (!stat.isFile()) throw openError(path, 'is not a file');
  const sizeBytes = stat.size;
  if (sizeBytes === 0)
    throw openError(
      path,
      'is empty: a database was lost or never written. Remove the file to start with a new database',
    );
  // Before SQLite reads the log: a client that has a full disk alone would remove it.
  if (isLogDamaged(path)) throw new DamagedLog();
  using client = isWritable(path) ? openToInspect(path) : openUnwritable(path);
  expectOwn(client, path);
  if (isCutOff(client, path, sizeBytes)) throw new DamagedPages();
  if (sizeBytes <= checkedAtStartBytesMax) checkPages(client);
  if (acceptsOlder) checkSchema(client, sqliteMigrations);
  else expectMigrated(client);
};

const openToInspect = (path: string): SqliteClient =>
  openAlsoOnFullDisk(({ isExclusive }) =>
    // SQLite cannot lock a file exclusively that it may only read.
    closeOnFailure(runtime.openSqlite(path, { isReadOnly: !isExclusive }), (client) => {
      client.run('PRAGMA busy_timeout = 5000');
      if (isExclusive) lockExclusively(client);
      readPragma(client, 'application_id');
    }),
  );

/** Throws OperatorError for a database of another program. */
export const expectOwn = (client: SqliteClient, path: string): void => {
  if (readPragma(client, 'application_id') !== applicationId) throw openError(path, 'belongs to another program');
};

/** SQLite reads zeros for the missing part of the last page. While there is a log, it may contain the complete page. */
const isCutOff = (client: SqliteClient, path: string, sizeBytes: number): boolean => {
  const log = statSync(`${path}-wal`, { throwIfNoEntry: false });
  return (log?.size ?? 0) === 0 && sizeBytes % Number(readPragma(client, 'page_size')) !== 0;
};

/** The pending migrations. Throws OperatorError unless the schema is that of the applied ones. */
const checkSchema = (client: SqliteClient, migrations: readonly Migration[]): readonly Migration[] => {
  const applied = readApplied(client);
  const pending = findPending(applied, migrations, (reason) => openError(client.filename, reason));
  if (readSchema(client) !== schemaAfter(migrations, applied.length))
    throw openError(client.filename, 'has a schema that was altered from outside');
  return pending;
};

const readApplied = (client: SqliteClient): AppliedMigration[] =>
  client.prepare("SELECT name FROM sqlite_schema WHERE name = 'schema_migrations'").all().length > 0
    ? client.prepare<AppliedMigration>('SELECT name, hash FROM schema_migrations ORDER BY name').all()
    : [];

/** The schema as one text, without the tables of SQLite, and of Litestream, which adds some to a database that it copies. */
const readSchema = (client: SqliteClient): string =>
  client
    .prepare<{ sql: string }>(
      String.raw`SELECT coalesce(sql, name) AS sql FROM sqlite_schema
        WHERE name NOT LIKE 'sqlite\_%' ESCAPE '\' AND tbl_name NOT LIKE '\_litestream\_%' ESCAPE '\'
        ORDER BY type, name`,
    )
    .all()
    .map(({ sql }) => sql)
    .join('\n');

/** The schema after the first `count` migrations. A start asks twice for the same one, which takes 5 ms to make. */
const schemaAfter = (migrations: readonly Migration[], count: number): string => {
  if (last?.migrations !== migrations || last.count !== count)
    last = { migrations, count, schema: makeSchema(migrations.slice(0, count)) };
  return last.schema;
};

let last: { migrations: readonly Migration[]; count: number; schema: string } | undefined;

const makeSchema = (migrations: readonly Migration[]): string => {
  using client = runtime.openSqlite(':memory:');
  for (const statement of migrations.flatMap(statementsOf)) client.run(statement);
  return readSchema(client);
};

const readPragma = (client: SqliteClient, pragma: string): unknown =>
  Object.values(client.prepare<object>(`PRAGMA ${pragma}`).all()[0] ?? {})[0];

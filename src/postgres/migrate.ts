/**
 * Migrates a database to the schema of this program. All pending migrations run in one transaction under a lock. So when several
 * processes start, one migrates and the others have nothing to do, and a crash leaves all migrations or none.
 */
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { OperatorError } from '../base/error.ts';
import { type AppliedMigration, findPending, type Migration, olderSchema, statementsOf } from '../storage/migrate.ts';
import postgresMigrations from './db/migrations.json' with { type: 'json' };
import * as schema from './db/tables.ts';
import { toArray } from './session/array.ts';
import { isTableMissing, withDeadline } from './session/errors.ts';
import { begin, type Session } from './session/session.ts';

interface MigrateOptions {
  /** Whether to create the tables in a database without them. */
  readonly create: boolean;
  /** Whether to apply the migrations that an older schema lacks. Default: false. */
  readonly upgrade?: boolean;
  readonly migrations?: readonly Migration[];
}

/**
 * Applies the pending migrations and returns their names, in order. Throws OperatorError for a schema of another program, and for
 * a missing or an older one if the options do not permit the change.
 */
export const migrate = async (session: Session, options: MigrateOptions): Promise<string[]> => {
  const { query, simple } = session;
  await expectOneNode(session);
  if ((await readPending(session, options)).length === 0) return [];
  await expectCoordinator(session);
  await begin(session);
  try {
    // The lock ends with the transaction. Its number is "PLNT", the application id of the SQLite files.
    await query(`SELECT set_config('lock_timeout', '0', true), pg_advisory_xact_lock(${0x504c4e54})`);
    const pending = await readPending(session, options);
    for (const statement of pending.flatMap(statementsOf)) await simple(statement);
    await query('COMMIT');
    return pending.map(({ name }) => name);
  } catch (error) {
    await query('ROLLBACK').catch(() => {});
    throw error;
  }
};

/**
 * Throws OperatorError unless the database has the newest migration of this program: a server that replaces another may have another
 * database.
 */
export const expectMigrated = async (session: Session): Promise<void> => {
  const newest = postgresMigrations.at(-1)?.name ?? '';
  const reading = session.query('SELECT FROM schema_migrations WHERE name = $1', [newest]);
  const checking = Promise.all([reading, expectOneNode(session)]).then(([rows]) => rows.length > 0);
  const isMigrated = await withDeadline(checking, performance.now() + checkMsMax).catch((error) => {
    if (isTableMissing(error)) return false;
    throw error;
  });
  if (!isMigrated) throw new OperatorError('The tables of this program are missing from the database.');
};

export const checkMsMax = 2000;

const readPending = async (
  session: Session,
  { create, upgrade = false, migrations = postgresMigrations }: MigrateOptions,
): Promise<readonly Migration[]> => {
  const applied = await readApplied(session);
  if (applied.length === 0 && !create)
    throw new OperatorError('The database has no tables of this program; run serve or migrate first.');
  const toError = (reason: string) => new OperatorError(`The database ${reason}. It was not changed.`);
  const pending = findPending(applied, migrations, toError);
  if (applied.length > 0 && pending.length > 0 && !upgrade) throw toError(olderSchema);
  return pending;
};

const readApplied = async ({ query }: Session): Promise<AppliedMigration[]> => {
  // A query of the catalog sees commits of other sessions while this one waited for the lock. to_regclass reads a cache.
  const [table] = await query(
    `SELECT FROM pg_tables WHERE schemaname = current_schema() AND tablename = 'schema_migrations'`,
  );
  return table ? await query<AppliedMigration>('SELECT name, hash FROM schema_migrations ORDER BY name') : [];
};

/**
 * Citus (https://github.com/citusdata/citus) distributes tables over nodes. A store in a distributed schema is supported: all its tables are
 * on one node, and sessions of any node send it their statements. Each statement that writes must be sent as it is, to have a commit of one
 * phase: see `isOnNode`. Tables that are distributed by a column are refused: an event could become visible before its plant.
 *
 * Throws OperatorError if a table of the store is distributed other than by its schema.
 */
export const expectOneNode = async ({ query, isCitus }: Session): Promise<void> => {
  if (!isCitus) return;
  // Without a colocation group, a table is only on this node.
  const rows = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_dist_partition JOIN pg_class ON pg_class.oid = logicalrelid
    WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relname = ANY($1::text[])
      AND colocationid <> 0 AND NOT EXISTS (SELECT FROM pg_dist_schema WHERE schemaid = relnamespace)
    ORDER BY relname`,
    [toArray(tableNames)],
  );
  if (rows.length === 0) return;
  throw new OperatorError(
    `Citus distributes tables of the store, which is not supported: ${rows.map(({ name }) => name).join(', ')}. ` +
      'Make them local with undistribute_table; to use several nodes, give each store a distributed schema.',
  );
};

/** Throws OperatorError if the tables of this session's schema can be changed only on another node. */
const expectCoordinator = async ({ query, isCitus }: Session): Promise<void> => {
  if (!isCitus) return;
  const rows = await query(`
    SELECT FROM pg_dist_schema, pg_dist_local_group
    WHERE schemaid = to_regnamespace(quote_ident(current_schema())) AND groupid <> 0`);
  if (rows.length > 0)
    throw new OperatorError('This is a worker of Citus; run migrate with the URL of the coordinator first.');
};

const tableNames = Object.values(schema)
  .filter((table) => is(table, PgTable))
  .map(getTableName);

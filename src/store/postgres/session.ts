/**
 * The settings of a session, and of a transaction where a pooler gives the session of the server to other clients in between
 * (pgbouncer: `pool_mode=transaction`). Such a pooler is noticed before anything is set that others would get.
 */
import { type ReservedSQL, SQL } from 'bun';
import { OperatorError } from '../../base/error.ts';
import type { Address } from './address.ts';
import type { Client } from './client.ts';
import { lockUse, useLock } from './use-lock.ts';

/** `own`: a session of the server belongs to the connection until it ends. `pooled`: it does during a transaction only. */
export type SessionKind = 'own' | 'pooled';

/** Sets up a session, and resolves to its kind, which is looked for when it is not known. Rejects with StandbyError. */
export const setUp = async (
  sql: ReservedSQL,
  address: Address,
  known: SessionKind | undefined,
): Promise<SessionKind> => {
  if (known) {
    await trySettings(sql, known === 'own' ? 'true' : 'false');
    return known;
  }
  if ((await trySettings(sql, isDirect)).is_own) return 'own';
  if (await isShared(sql, address)) return 'pooled';
  return setUp(sql, address, 'own');
};

/**
 * Whether the server has the name of the application from the one who connected. A pooler sets it later: it connects before it
 * knows for which client.
 */
const isDirect = `(SELECT source = 'client' FROM pg_settings WHERE name = 'application_name')`;

/** In one round trip, without a prepared statement. When the condition is not true, nothing stays set after the transaction. */
const trySettings = async (sql: SQL, condition: string): Promise<{ is_own: boolean }> => {
  const [row] = await sql
    .unsafe(
      `
      SELECT is_own, pg_is_in_recovery() AS is_standby,
        CASE WHEN is_own THEN pg_try_advisory_lock_shared${useLock} END AS is_usable,
        set_config('default_transaction_isolation', 'read committed', NOT is_own),
        set_config('plan_cache_mode', 'force_generic_plan', NOT is_own),
        set_config('lock_timeout', '${lockMsMax}', NOT is_own),
        set_config('idle_in_transaction_session_timeout', '${idleMsMax}', NOT is_own),
        set_config('tcp_keepalives_idle', '${keepAliveSeconds}', NOT is_own),
        set_config('tcp_keepalives_interval', '${keepAliveSeconds}', NOT is_own),
        set_config('tcp_keepalives_count', '2', NOT is_own),
        set_config('synchronous_commit', ${synchronousCommit}, NOT is_own)
      FROM (SELECT ${condition} AS is_own OFFSET 0) AS session`,
    )
    .simple();
  if (row?.is_standby !== false) throw new StandbyError();
  // Absent where there is no schema.
  if (row.is_usable === false && !(await lockUse(sql, 'pg_try_advisory_lock_shared')))
    throw new OperatorError('The database is being copied; try again when copy has finished.');
  return row;
};

/**
 * Whether this session and another to the same address share those of the server: one process of the server answers both, or two
 * processes answer one. Other clients of the pooler can hide it for some rounds.
 */
const isShared = async (sql: SQL, address: Address): Promise<boolean> => {
  const other = new SQL({ ...address, adapter: 'postgres', max: 1 });
  try {
    const [own, others] = [new Set<number>(), new Set<number>()];
    for (let round = 0; round < roundsMax; round += 1) {
      for (const [session, pids] of [
        [sql, own],
        [sql, own],
        [other, others],
        [other, others],
      ] as const) {
        const [row] = await session.unsafe('SELECT pg_backend_pid() AS pid').simple();
        pids.add(row.pid);
      }
      if (own.size > 1 || others.size > 1 || own.intersection(others).size > 0) return true;
    }
    return false;
  } finally {
    void other.close({ timeout: 0 }).catch(() => {});
  }
};

const roundsMax = 5;

/** Begins a transaction that writes. It need not be awaited before the next statement is sent. */
export const begin = async ({ sql, isPooled }: Client): Promise<unknown> =>
  isPooled ? sql.unsafe(beginPooled).simple().execute() : sql`BEGIN`.execute();

/** Runs one statement that writes, as a transaction. */
export const runAlone = async <Result>(client: Client, send: () => Promise<Result>): Promise<Result> => {
  if (!client.isPooled) return send();
  const [, result] = await Promise.all([begin(client), send(), client.sql`COMMIT`.execute()]);
  return result;
};

/** A write that was answered must survive a crash of the server. */
const synchronousCommit = `coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on')`;

/**
 * How long a statement waits for a lock, so that it ends before our own deadline and is known to have written nothing.
 *
 * @limit Database | Wait of a statement for a lock of another session of PostgreSQL | 503
 */
const lockMsMax = 2000;

/** How long the server keeps a transaction whose client is silent, as after a cut of the network: longer than our own deadlines. */
const idleMsMax = 5000;

/**
 * How often the server looks after a client that is silent. A statement of which a part has arrived counts as active, so that the
 * limit above does not end it, and its locks would stay for hours.
 */
const keepAliveSeconds = 5;

/** One round trip. The lock is that of `use-lock.ts`. */
const beginPooled = `
  BEGIN ISOLATION LEVEL READ COMMITTED;
  SELECT set_config('lock_timeout', '${lockMsMax}', true),
    set_config('idle_in_transaction_session_timeout', '${idleMsMax}', true),
    set_config('synchronous_commit', ${synchronousCommit}, true);
  SELECT pg_advisory_xact_lock_shared${useLock}`;

/** The server is a standby, which accepts no writes. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';
  override readonly message = 'The server is a standby.';
}

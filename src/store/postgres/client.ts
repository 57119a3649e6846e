import { type ReservedSQL, SQL } from 'bun';
import { type BunSQLDatabase, drizzle } from 'drizzle-orm/bun-sql';
import { OperatorError } from '../../base/error.ts';
import type { Address } from './address.ts';
import { inTime } from './deadline.ts';
import { hasState } from './failure.ts';

/** One connection. After its end every query rejects: Bun's pool would send the rest of a transaction on another connection. */
export interface Client {
  readonly sql: ReservedSQL;
  /** The same connection, for queries that Drizzle builds. */
  readonly db: BunSQLDatabase;
  /** Aborted when the connection has ended. */
  readonly ended: AbortSignal;
  /** Ends the connection without waiting for its queries, which reject. */
  close(): void;
}

/**
 * Connects to that server of these which accepts writes, and sets up the session. `prepare` may refuse the database. All are tried
 * at once, since one that is switched off does not answer. Rejects with the error of a server that has answered, if any has.
 */
export const connect = async (
  addresses: readonly Address[],
  prepare: (client: Client) => Promise<void>,
): Promise<Client> => {
  const attempts = addresses.map((address) => connectTo(address, prepare));
  const first = await Promise.any(attempts).catch(({ errors }: AggregateError) => {
    throw errors.find((error) => error instanceof StandbyError || hasState(error, /./)) ?? errors[0];
  });
  for (const attempt of attempts)
    attempt.then(
      (client) => client !== first && client.close(),
      () => {},
    );
  return first;
};

const connectTo = async (address: Address, prepare: (client: Client) => Promise<void>): Promise<Client> => {
  const ended = new AbortController();
  const pool = new SQL({
    ...address,
    adapter: 'postgres',
    max: 1,
    bigint: true,
    idleTimeout: 0,
    maxLifetime: 0,
    onclose: () => ended.abort(),
  });
  const close = (): void => {
    ended.abort();
    void pool.close({ timeout: 0 }).catch(() => {});
  };
  try {
    const sql = await inTime(setUp(pool), performance.now() + (address.connectionTimeout ?? connectSecondsMax) * 1000);
    const client = { sql, db: drizzle({ client: sql }), ended: ended.signal, close };
    await prepare(client);
    return client;
  } catch (error) {
    close();
    throw error;
  }
};

/** A generic plan spares each look-up the planning, which takes longer than the look-up. */
const setUp = async (pool: SQL): Promise<ReservedSQL> => {
  const sql = await pool.reserve();
  const [settings] = await sql`SELECT
    pg_is_in_recovery() AS is_standby,
    pg_try_advisory_lock_shared(${useLock}, (SELECT oid::int FROM pg_namespace WHERE nspname = current_schema())) AS is_usable,
    set_config('default_transaction_isolation', 'read committed', false),
    set_config('plan_cache_mode', 'force_generic_plan', false),
    set_config('lock_timeout', ${`${lockMsMax}`}, false),
    set_config('idle_in_transaction_session_timeout', ${`${idleMsMax}`}, false),
    set_config('tcp_keepalives_idle', ${`${keepAliveSeconds}`}, false),
    set_config('tcp_keepalives_interval', ${`${keepAliveSeconds}`}, false),
    set_config('tcp_keepalives_count', '2', false),
    set_config('synchronous_commit', coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on'), false)`;
  if (settings?.is_standby !== false) throw new StandbyError();
  // Absent where there is no schema.
  if (settings.is_usable === false && !(await lockUse(sql, 'pg_try_advisory_lock_shared')))
    throw new OperatorError('The database is being copied, and must not be used meanwhile.');
  return sql;
};

/**
 * Keeps all other sessions of this program from using the database, until the connection ends. Each has a lock on its schema,
 * shared with others, which the server releases with the connection. Rejects with OperatorError while there are others.
 */
export const claim = async ({ sql }: Client): Promise<void> => {
  if (!(await lockUse(sql, 'pg_try_advisory_lock')))
    throw new OperatorError('The database is in use. Stop serve and all other commands on it.');
};

/** Ends what `claim` has begun, and the connection. */
export const release = async ({ sql, close }: Client): Promise<void> => {
  // After the connection alone, the server would keep the lock for a moment.
  await inTime(sql`SELECT pg_advisory_unlock_all()`.execute(), performance.now() + lockUseMsMax).catch(() => {});
  close();
};

/** Resolves to whether the lock could be had. It waits, since a server takes a moment to notice that another process has ended. */
const lockUse = async (sql: SQL, lock: string): Promise<boolean> => {
  const endsAtMs = performance.now() + lockUseMsMax;
  for (;;) {
    const [row] = await sql.unsafe(
      `SELECT ${lock}(${useLock}, oid::int) AS is_ours FROM pg_namespace WHERE nspname = current_schema()`,
    );
    if (row?.is_ours || performance.now() > endsAtMs) return row?.is_ours === true;
    await Bun.sleep(lockUsePauseMs);
  }
};

/** "PLNT", the mark of our files of SQLite. */
const useLock = 0x504c4e54;

const lockUseMsMax = 1000;
const lockUsePauseMs = 50;

/** The server is a standby, which accepts no writes. */
export class StandbyError extends Error {
  override readonly name = 'StandbyError';
  override readonly message = 'The server is a standby.';
}

/** How long an attempt to connect may take, unless the URL says otherwise. */
const connectSecondsMax = 2;

/** How long a statement waits for a lock, so that it ends before our own deadline and is known to have written nothing. */
const lockMsMax = 2000;

/** How long the server keeps a transaction whose client is silent, as after a cut of the network: longer than our own deadlines. */
const idleMsMax = 5000;

/**
 * How often the server looks after a client that is silent. A statement of which a part has arrived counts as active, so that the
 * limit above does not end it, and its locks would stay for hours.
 */
const keepAliveSeconds = 5;

/**
 * The settings of a session, or of a transaction where a pooler gives the server session to other clients between transactions
 * (pgbouncer: `pool_mode=transaction`). The URL says so. A pooler that it does not name is detected before any setting that would
 * affect other clients.
 */
import { setTimeout } from 'node:timers/promises';
import { OperatorError } from '../../base/error.ts';
import type { PostgresAddress, PostgresConnection, PostgresQueries } from '../driver/driver.ts';
import { StandbyError, throwOfCommit, toAppError, withStepDeadline } from './errors.ts';

/** One connection. Each query is sent when it is made, before it is awaited. After the end of the connection every query rejects. */
export interface Session extends PostgresQueries, Disposable, Pick<PostgresConnection<unknown>, 'ended' | 'close'> {
  /** Whether a pooler gives the server session to other clients between transactions: its state ends with each transaction. */
  readonly isPooled: boolean;
  /** Whether the database has the extension Citus, which may keep the store on another node: see `migrate.ts`. */
  readonly isCitus: boolean;
}

/** How a transaction ends: its result, and its last statements, which are sent together with COMMIT. */
export interface TransactionEnd<Result> {
  readonly result: Result;
  readonly last?: readonly Promise<unknown>[];
}

/** The ids of a transaction and of the one before it on this session. */
export interface TransactionIds {
  readonly id: string;
  readonly earlierId: string;
}

/**
 * Sets up a session, and resolves to its properties. In one round trip, without a prepared statement. Behind a transaction pooler, and one
 * that the URL does not name, no setting outlives the transaction: `NOT is_own` is the argument `is_local` of `set_config`. `OFFSET 0`
 * makes PostgreSQL evaluate the condition once, and not for each use of `is_own`. Citus has no generic plan for some statements. Rejects
 * with StandbyError.
 */
export const setUp = async (
  queries: PostgresQueries,
  address: PostgresAddress,
): Promise<Pick<Session, 'isPooled' | 'isCitus'>> => {
  const { isReadOnly = false, pooler } = address;
  const isOwn = pooler === 'none' ? isDirect(address) : `${pooler === 'session'}`;
  const [row] = await queries.simple<{
    is_own: boolean;
    is_citus: boolean;
    is_standby: boolean;
    is_usable: boolean | null;
  }>(`
      SELECT is_own, is_citus, pg_is_in_recovery() AND NOT ${isReadOnly} AS is_standby,
        CASE WHEN is_own THEN pg_try_advisory_lock_shared${inUseLock} END AS is_usable,
        set_config('default_transaction_isolation', 'read committed', NOT is_own),
        CASE WHEN ${isReadOnly} THEN set_config('default_transaction_read_only', 'on', NOT is_own) END,
        CASE WHEN is_citus THEN set_config('citus.propagate_set_commands', 'local', NOT is_own) END,
        set_config('plan_cache_mode', CASE WHEN is_citus THEN 'auto' ELSE 'force_generic_plan' END, NOT is_own),
        set_config('lock_timeout', '${lockMsMax}', NOT is_own),
        set_config('idle_in_transaction_session_timeout', '${idleMsMax}', NOT is_own),
        set_config('tcp_keepalives_idle', '${keepAliveSeconds}', NOT is_own),
        set_config('tcp_keepalives_interval', '${keepAliveSeconds}', NOT is_own),
        set_config('tcp_keepalives_count', '2', NOT is_own),
        set_config('synchronous_commit', ${synchronousCommit}, NOT is_own)
      FROM (
        SELECT ${isOwn} AS is_own, EXISTS (SELECT FROM pg_extension WHERE extname = 'citus') AS is_citus OFFSET 0
      ) AS session`);
  if (row?.is_standby !== false) throw new StandbyError();
  // `is_usable` is NULL without a schema.
  if (row.is_usable === false && !(await tryInUseLock(queries, 'pg_try_advisory_lock_shared')))
    throw new OperatorError('The database is being copied; try again when copy has finished.');
  return { isPooled: !row.is_own, isCitus: row.is_citus };
};

/**
 * The condition that this client has set the application name when the session began. A pooler sets it later, or has a name of its own,
 * since it connects before it knows the client.
 */
const isDirect = ({ applicationName }: PostgresAddress): string => `(
  SELECT source = 'client' AND setting = '${applicationName.replaceAll("'", "''")}'
  FROM pg_settings WHERE name = 'application_name')`;

/** Begins a transaction that writes. It need not be awaited before the next statement is sent. */
export const begin = async ({ query, simple, isPooled, isCitus }: Session): Promise<unknown> => {
  if (isPooled) return simple(beginPooled);
  if (!isCitus) return query('BEGIN');
  // These limits hold for the session at the node of the store too, which the session here uses.
  const limits = [`lock_timeout = ${lockMsMax}`, `idle_in_transaction_session_timeout = ${idleMsMax}`];
  return Promise.all(['BEGIN', ...limits.map((limit) => `SET LOCAL ${limit}`)].map((text) => query(text)));
};

/** The session for a long operation: each statement may take as long as a step of one. */
export const withStepDeadlines = (session: Session): Session => ({
  ...session,
  query: (text, parameters) => withStepDeadline(session.query(text, parameters)),
  simple: (text) => withStepDeadline(session.simple(text)),
});

/** Begins a long transaction, which writes, or reads from one snapshot. The server does not end it while it waits for the next step. */
export const beginLong = async (session: Session, purpose: 'write' | 'snapshot'): Promise<void> => {
  await (purpose === 'write' ? begin(session) : session.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY'));
  // Citus passes SET on to the other node, and set_config not.
  await session.query('SET LOCAL idle_in_transaction_session_timeout = 0');
};

/** Runs `work` in a long transaction, and commits it. After an error, the session must be closed, which rolls the transaction back. */
export const writeLong = async <Result>(session: Session, work: () => Promise<Result>): Promise<Result> => {
  let during: 'write' | 'commit' = 'write';
  try {
    await beginLong(session, 'write');
    const result = await work();
    during = 'commit';
    await session.query('COMMIT').catch((error) => throwOfCommit(error, session));
    return result;
  } catch (error) {
    throw toAppError(error, during);
  }
};

/** Runs one statement that writes, as a transaction. */
export const runAlone = async <Result>(session: Session, send: () => Promise<Result>): Promise<Result> => {
  if (!session.isPooled && !session.isCitus) return send();
  const [, result] = await Promise.all([begin(session), send(), session.query('COMMIT')]);
  return result;
};

/** An acknowledged write must survive a crash of the server. */
const synchronousCommit = `coalesce(nullif(current_setting('synchronous_commit'), 'off'), 'on')`;

/**
 * The time limit for a lock. The statement ends before the deadline of this program, so that it is known to have written nothing.
 *
 * @limit Database | Wait of a statement for a lock of another session of PostgreSQL | 503
 */
const lockMsMax = 2000;

/** The time after which the server ends a transaction with a silent client, as after a network failure: longer than the deadlines of this program. */
const idleMsMax = 5000;

/**
 * The interval at which the server probes a silent client. A statement that has arrived in part counts as active, so that the
 * limit above does not end it, and its locks would remain for hours.
 */
const keepAliveSeconds = 5;

/** Resolves to whether the lock was acquired. It waits, since a server takes a moment to detect that another process has ended. */
export const tryInUseLock = async ({ query }: PostgresQueries, lock: string): Promise<boolean> => {
  const endsAtMs = performance.now() + inUseLockMsMax;
  for (;;) {
    const [row] = await query<{ is_ours: boolean }>(`SELECT ${lock}${inUseLock} AS is_ours`);
    if (row?.is_ours || performance.now() > endsAtMs) return row?.is_ours === true;
    await setTimeout(inUseLockPauseMs);
  }
};

/**
 * The in-use lock shows whether a database is in use. Each session of this program has a shared lock on its schema, which the server
 * releases with the connection. Behind a transaction pooler each writing transaction has the lock instead.
 *
 * These are the arguments of the lock functions, in SQL: "PLNT", the application id of the SQLite files, and the schema.
 */
const inUseLock = `(${0x504c4e54}, (SELECT oid::int FROM pg_namespace WHERE nspname = current_schema()))`;

export const inUseLockMsMax = 1000;
const inUseLockPauseMs = 50;

/** One round trip. */
const beginPooled = `
  BEGIN ISOLATION LEVEL READ COMMITTED;
  SELECT set_config('lock_timeout', '${lockMsMax}', true),
    set_config('idle_in_transaction_session_timeout', '${idleMsMax}', true),
    set_config('synchronous_commit', ${synchronousCommit}, true);
  SELECT pg_advisory_xact_lock_shared${inUseLock}`;

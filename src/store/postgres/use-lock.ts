/**
 * Shows whether a database is in use. Each session of this program has a lock on its schema, shared with the others, which the
 * server releases with the connection. Behind a transaction pooler each transaction that writes has it instead.
 */
import type { SQL } from 'bun';
import { OperatorError } from '../../base/error.ts';
import type { Client } from './client.ts';
import { inTime } from './deadline.ts';

/** Keeps all other sessions of this program from using the database, until the connection ends. Rejects with OperatorError while there are others. */
export const claim = async ({ sql, isPooled }: Client): Promise<void> => {
  if (isPooled)
    throw new OperatorError('copy locks the database. It needs the URL of the server, not that of a pooler.');
  if (!(await lockUse(sql, 'pg_try_advisory_lock')))
    throw new OperatorError('The database is in use. Stop serve and all other commands that use it.');
};

/** Ends what `claim` has begun, and the connection. */
export const release = async ({ sql, isPooled, close }: Client): Promise<void> => {
  // After the connection alone, the server would keep the lock for a moment. The locks of a pooled session are those of others.
  if (!isPooled)
    await inTime(sql`SELECT pg_advisory_unlock_all()`.execute(), performance.now() + lockUseMsMax).catch(() => {});
  close();
};

/** Resolves to whether the lock could be had. It waits, since a server takes a moment to notice that another process has ended. */
export const lockUse = async (sql: SQL, lock: string): Promise<boolean> => {
  const endsAtMs = performance.now() + lockUseMsMax;
  for (;;) {
    const [row] = await sql.unsafe(`SELECT ${lock}${useLock} AS is_ours`);
    if (row?.is_ours || performance.now() > endsAtMs) return row?.is_ours === true;
    await Bun.sleep(lockUsePauseMs);
  }
};

/** The arguments of the functions for the lock, in SQL: "PLNT", the mark of our files of SQLite, and the schema. */
export const useLock = `(${0x504c4e54}, (SELECT oid::int FROM pg_namespace WHERE nspname = current_schema()))`;

const lockUseMsMax = 1000;
const lockUsePauseMs = 50;

/**
 * Shows whether a database is in use. Each session of this program has a shared lock on its schema, which the
 * server releases with the connection. Behind a transaction pooler each writing transaction has the lock instead.
 */
import type { SQL } from 'bun';
import { OperatorError } from '../../base/error.ts';
import type { Client } from './client.ts';
import { withDeadline } from './deadline.ts';

/** Excludes all other sessions of this program from the database until the connection ends. Rejects with OperatorError while others use it. */
export const claim = async ({ sql, isPooled }: Client): Promise<void> => {
  if (isPooled)
    throw new OperatorError('copy locks the database. It needs the URL of the server, not that of a pooler.');
  if (!(await lockUse(sql, 'pg_try_advisory_lock')))
    throw new OperatorError('The database is in use. Stop serve and all other commands that use it.');
};

/** Releases the lock of `claim`, and closes the connection. */
export const release = async ({ sql, isPooled, close }: Client): Promise<void> => {
  // If only the connection were closed, the server would keep the lock for a moment. The locks of a pooled session belong to others.
  if (!isPooled)
    await withDeadline(sql`SELECT pg_advisory_unlock_all()`.execute(), performance.now() + lockUseMsMax).catch(
      () => {},
    );
  close();
};

/** Resolves to whether the lock was acquired. It waits, since a server takes a moment to detect that another process has ended. */
export const lockUse = async (sql: SQL, lock: string): Promise<boolean> => {
  const endsAtMs = performance.now() + lockUseMsMax;
  for (;;) {
    const [row] = await sql.unsafe(`SELECT ${lock}${useLock} AS is_ours`);
    if (row?.is_ours || performance.now() > endsAtMs) return row?.is_ours === true;
    await Bun.sleep(lockUsePauseMs);
  }
};

/** The arguments of the lock functions, in SQL: "PLNT", the application id of the SQLite files, and the schema. */
export const useLock = `(${0x504c4e54}, (SELECT oid::int FROM pg_namespace WHERE nspname = current_schema()))`;

const lockUseMsMax = 1000;
const lockUsePauseMs = 50;

/** The leases of webhooks in the database, on either engine. */
import { SQL } from 'bun';
import { isPostgresUrl } from '../../../src/config/setting-values.ts';

/** An owner of a lease, since the time when it was first seen, by the wall clock. */
export interface Tenure {
  readonly webhookId: string;
  /** Absent while no process has the lease. */
  readonly owner: string | null;
  readonly epoch: string;
  readonly atMs: number;
}

/** Use with `await using`. */
export interface LeaseTable extends AsyncDisposable {
  /** Every change of an owner so far, oldest first. */
  readonly tenures: readonly Tenure[];
  /** Takes all leases from their owners, who notice it when they renew them. */
  clear(): Promise<void>;
  /** Whether others can write. A process on SQLite may prevent that. PostgreSQL ends the locks of a silent process. */
  isWritable(): Promise<boolean>;
}

const sampleMs = 50;

/** Watches the leases of this database. */
export const watchLeases = async (url: string): Promise<LeaseTable> => {
  const sql = isPostgresUrl(url) ? new SQL(url, { max: 1 }) : new SQL({ adapter: 'sqlite', filename: url });
  if (!isPostgresUrl(url)) await sql.unsafe(`PRAGMA busy_timeout = ${busyMsMax}`);
  const tenures: Tenure[] = [];
  const latest = new Map<string, Tenure>();
  let isOver = false;

  const watch = async (): Promise<void> => {
    while (!isOver) {
      const rows: Omit<Tenure, 'atMs'>[] = await sql.unsafe(select);
      for (const row of rows) {
        const before = latest.get(row.webhookId);
        if (before?.owner === row.owner && before.epoch === row.epoch) continue;
        const tenure = { ...row, atMs: Date.now() };
        latest.set(row.webhookId, tenure);
        tenures.push(tenure);
      }
      await Bun.sleep(sampleMs);
    }
  };
  const watching = watch();

  return {
    tenures,
    clear: async () => {
      // One by one: other transactions lock webhooks in an order, and could deadlock with this one.
      for (const id of latest.keys())
        await sql`UPDATE webhooks SET lease_owner = NULL, lease_expires_at = NULL WHERE id = ${id}`;
    },
    isWritable: () => sql.begin(isPostgresUrl(url) ? 'read write' : 'immediate', async () => true).catch(() => false),
    [Symbol.asyncDispose]: async () => {
      isOver = true;
      await watching;
      await sql.close();
    },
  };
};

/** Longer than a commit takes. */
const busyMsMax = 1000;
const select = `SELECT id AS "webhookId", lease_owner AS owner, CAST(lease_epoch AS text) AS epoch FROM webhooks`;

import { SQL } from 'bun';
import { isPostgresUrl } from '../../../src/config/setting-values.ts';

const at = new Date().toISOString();
const good = { at, durationMs: 1, status: 204 };
/** The text of the receiver ends as the attempts of a delivered one do. */
const bad = { at, durationMs: 1, status: 500, excerpt: '"status":200}]' };

/** A delivery in each state, by the sequence of its event, to a webhook that was deleted since: nothing is sent. */
export const olderDeliveries = [
  { sequence: 1, state: 'delivered', attempts: [bad, good], nextAttemptAt: undefined },
  { sequence: 2, state: 'failed', attempts: [good, bad], nextAttemptAt: undefined },
  { sequence: 3, state: 'pending', attempts: [good], nextAttemptAt: '9999-01-01T00:00:00.000Z' },
] as const;

/** Writes these as a process of an earlier version did. Returns whether it had deliveries. */
export const writeOlderDeliveries = async (database: string): Promise<boolean> => {
  await using sql = isPostgresUrl(database)
    ? new SQL(database, { max: 1 })
    : new SQL({ adapter: 'sqlite', filename: database });
  const rows: { readonly name: string }[] = await sql.unsafe(columnsOf(database));
  const columns = rows.map(({ name }) => name);
  if (columns.length === 0) return false;
  const events = olderDeliveries.map(({ sequence }) => `(${sequence}, 'plant.created', '${at}', ${sequence}, 'n')`);
  await sql.unsafe(`INSERT INTO events (sequence, type, timestamp, plant_id, name) VALUES ${events.join()}`);
  if (isPostgresUrl(database)) await sql.unsafe(`UPDATE log_head SET sequence = ${events.length}`);
  for (const { sequence, state, attempts, nextAttemptAt } of olderDeliveries) {
    const values: Readonly<Record<string, string>> = {
      webhook_id: "'wh_deleted'",
      sequence: `${sequence}`,
      attempts: `'${JSON.stringify(attempts)}'`,
      // The name of this column in the first versions.
      tries: `${attempts.length}`,
      attempts_in_round: `${attempts.length}`,
      next_attempt_at: nextAttemptAt === undefined ? 'NULL' : `'${nextAttemptAt}'`,
      state: `'${state}'`,
    };
    const own = Object.keys(values).filter((name) => columns.includes(name));
    await sql.unsafe(`INSERT INTO deliveries (${own.join()}) VALUES (${own.map((name) => values[name]).join()})`);
  }
  return true;
};

/** The names of the columns of deliveries. */
const columnsOf = (database: string): string =>
  isPostgresUrl(database)
    ? "SELECT column_name AS name FROM information_schema.columns WHERE table_name = 'deliveries'"
    : "SELECT name FROM pragma_table_info('deliveries')";

/** Reads or writes all rows of a database that no other session of this program uses, in one transaction. */
import type { Column } from 'drizzle-orm';
import { deliveries, events, plants, tokens, webhooks } from '../../../db/postgres.ts';
import { OperatorError } from '../../base/error.ts';
import type { PostgresAddress } from '../../runtime/postgres.ts';
import { batchRows, describeTable, findTable, notEmptyError } from '../copy.ts';
import type { ExclusiveStore, Rows, Value } from '../dump.ts';
import { isOnNode, typeOf } from './columns.ts';
import { migrate } from './migrate.ts';
import { connect } from './session/connect.ts';
import { reasonOf, throwOfCommit, toAppError, withDeadline, withStepDeadline } from './session/errors.ts';
import { beginLong, inUseLockMsMax, type Session, tryInUseLock } from './session/session.ts';
import { toArray } from './session/sql.ts';

/** Opens the database for exclusive use. Rejects with OperatorError if it must not be used, or is in use. */
export const openExclusivePostgres = async (
  addresses: readonly PostgresAddress[],
  { create }: { readonly create: boolean },
): Promise<ExclusiveStore> => {
  const session = await connectExclusively(addresses, create);
  return {
    count: () => countRows(session),
    dump: () => dump(session),
    restore: (batches) => restore(session, batches),
    [Symbol.asyncDispose]: () => unlock(session),
  };
};

const connectExclusively = async (addresses: readonly PostgresAddress[], create: boolean): Promise<Session> => {
  let session: Session | undefined;
  try {
    session = await connect(addresses, async () => {});
    await withStepDeadline(migrate(session, { create }));
    if (session.isPooled)
      throw new OperatorError('copy locks the database. It needs the URL of the server, not that of a pooler.');
    // Until the connection ends, this excludes all other sessions of this program.
    if (!(await withStepDeadline(tryInUseLock(session.sql, 'pg_try_advisory_lock'))))
      throw new OperatorError('The database is in use. Stop serve and all other commands that use it.');
    return session;
  } catch (error) {
    session?.close();
    throw new OperatorError(reasonOf(error).sentence, { cause: error });
  }
};

const orderOf = (...columns: Column[]): string => columns.map(({ name }) => `"${name}"`).join(', ');

/** The tables, and the columns by which their rows are read. */
const tables = [
  { ...describeTable(plants), order: orderOf(plants.id) },
  { ...describeTable(events), order: orderOf(events.sequence) },
  { ...describeTable(webhooks), order: orderOf(webhooks.number) },
  { ...describeTable(deliveries), order: orderOf(deliveries.webhookId, deliveries.sequence, deliveries.number) },
  { ...describeTable(tokens), order: orderOf(tokens.number) },
];

const countRows = async ({ sql }: Session): Promise<number> => {
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(' + ');
  const [row] = await withStepDeadline(sql.query<{ total: bigint }>(`SELECT ${counts} AS total`));
  return Number(row?.total);
};

async function* dump(session: Session): AsyncGenerator<Rows> {
  const { sql } = session;
  try {
    await beginLong(session, 'snapshot');
    for (const { name, columns, ownNames, order } of tables) {
      await withStepDeadline(
        sql.query(`DECLARE all_${name} NO SCROLL CURSOR FOR SELECT ${ownNames} FROM ${name} ORDER BY ${order}`),
      );
      // PostgreSQL reads the next rows while the previous ones are written.
      const fetch = (): Promise<Value[][]> =>
        withStepDeadline(sql.values<Value[]>(`FETCH ${batchRows} FROM all_${name}`));
      for (let next = fetch(); ; ) {
        const rows = await next;
        if (rows.length === 0) break;
        next = fetch();
        // No code waits for it once the caller stops.
        next.catch(() => {});
        yield { table: name, columns, rows };
      }
    }
    await withStepDeadline(sql`COMMIT`);
  } catch (error) {
    throw toAppError(error, 'read');
  }
}

const restore = async (session: Session, batches: AsyncIterable<Rows>): Promise<void> => {
  const { sql } = session;
  let during: 'write' | 'commit' = 'write';
  try {
    await beginLong(session, 'write');
    const rows = tables.map(({ name }) => `EXISTS (SELECT FROM ${name})`).join(' OR ');
    const [present] = await withStepDeadline(sql.query<{ are_there: boolean }>(`SELECT ${rows} AS are_there`));
    if (present?.are_there) throw notEmptyError();
    for await (const batch of batches) await withStepDeadline(insert(sql, batch));
    await withStepDeadline(sql`UPDATE log_head SET sequence = (SELECT coalesce(max(sequence), 0) FROM events)`);
    during = 'commit';
    await withStepDeadline(sql`COMMIT`).catch((error) => throwOfCommit(error, session));
  } catch (error) {
    // Without a COMMIT, this rolls the transaction back.
    session.close();
    throw toAppError(error, during);
  }
};

const insert = (sql: Session['sql'], batch: Rows): Promise<unknown> => {
  const { name, own, ownNames } = findTable(tables, batch);
  const types = own.map(typeOf);
  const parameters = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const valuesOf = (index: number) => batch.rows.map((row) => row[index] ?? null);
  return sql.query(
    `INSERT INTO ${name} (${ownNames}) SELECT ${ownNames}
      FROM unnest(${parameters}) WITH ORDINALITY AS input (${ownNames}, place) WHERE ${isOnNode} ORDER BY place`,
    types.map((_, index) => toArray(valuesOf(index))),
  );
};

/** Releases the in-use lock, and closes the connection. If it were only closed, the server would keep the lock for a moment. */
const unlock = async ({ sql, close }: Session): Promise<void> => {
  const unlocking = sql`SELECT pg_advisory_unlock_all()`;
  await withDeadline(unlocking, performance.now() + inUseLockMsMax).catch(() => {});
  close();
};

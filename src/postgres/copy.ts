/** Reads or writes all rows of a database that no other session of this program uses, in one transaction. */
import { type Column, getTableColumns, getTableName, is, sql, type Table } from 'drizzle-orm';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { OperatorError } from '../base/error.ts';
import { type CopiedTable, copiedTables, findTable, isBytes, notEmptyError, tablesOf } from '../storage/copy.ts';
import type { ExclusiveStore, Rows, Value } from '../storage/dump.ts';
import { isLeaseColumn } from '../webhooks/row.ts';
import * as schema from './db/tables.ts';
import type { PostgresAddress } from './driver/driver.ts';
import { migrate } from './migrate.ts';
import { toArray } from './session/array.ts';
import { connect } from './session/connect.ts';
import { reasonOf, toAppError, withDeadline } from './session/errors.ts';
import {
  beginLong,
  inUseLockMsMax,
  type Session,
  tryInUseLock,
  withStepDeadlines,
  writeLong,
} from './session/session.ts';
import { isOnNode, manyRows, prepare } from './session/statement.ts';

/** Opens the database for exclusive use. Rejects with OperatorError if it must not be used, or is in use. */
export const openExclusivePostgres = async (
  addresses: readonly PostgresAddress[],
  { create }: { readonly create: boolean },
): Promise<ExclusiveStore> => {
  const session = await connectExclusively(addresses, create);
  return {
    count: () => countRows(session),
    dump: () => dump(session),
    others: () => readOthers(session),
    restore: (batches) => restore(session, batches),
    [Symbol.asyncDispose]: () => unlock(session),
  };
};

const connectExclusively = async (addresses: readonly PostgresAddress[], create: boolean): Promise<Session> => {
  let session: Session | undefined;
  try {
    session = withStepDeadlines(await connect(addresses, async () => {}));
    await migrate(session, { create });
    if (session.isPooled)
      throw new OperatorError(
        'copy locks the database. It needs the URL of the server, or that of a session pooler with pooler=session.',
      );
    // Until the connection ends, this excludes all other sessions of this program.
    if (!(await tryInUseLock(session, 'pg_try_advisory_lock')))
      throw new OperatorError('The database is in use. Stop serve and all other commands that use it.');
    return session;
  } catch (error) {
    session?.close();
    throw new OperatorError(reasonOf(error).message, { cause: error });
  }
};

/** The columns by which the rows of a table are read: the generated number, which is the order of their insertion, or the primary key. */
const orderOf = (table: Table): string => {
  const columns = Object.values(getTableColumns(table));
  const number = columns.filter(({ generatedIdentity }) => generatedIdentity);
  const keys = is(table, PgTable) ? getTableConfig(table).primaryKeys.flatMap((key) => key.columns) : [];
  const order = number.length > 0 ? number : [...columns.filter(({ primary }) => primary), ...keys];
  return order.map(({ name }) => `"${name}"`).join(', ');
};

const prepareInsert = ({ table, columns }: CopiedTable) => {
  const all = getTableColumns(table);
  const own = Object.fromEntries(Object.entries(all).filter(([name]) => columns.includes(name)));
  const { names, inOrder, toArrays } = manyRows(own);
  const run = prepare<Record<string, string>>()(sql`
    INSERT INTO ${table} (${names})
    SELECT ${names} FROM ${inOrder} WHERE ${isOnNode} ORDER BY place`);
  return (session: Session, rows: Rows['rows']): Promise<unknown> =>
    run(session, toArrays(rows.map((row) => Object.fromEntries(columns.map((name, index) => [name, row[index]])))));
};

/** A copy has processes and migrations of its own, and the head of its log follows from its events. */
const tables = copiedTables(
  schema,
  [schema.senders, schema.schemaMigrations, schema.logHead, schema.transactions],
  isLeaseColumn,
).map((table) => ({
  ...table,
  order: orderOf(table.table),
  // The drivers read bytes in different ways.
  selected: table.own.map((column) =>
    isBytes(column) ? `encode("${column.name}", 'base64') AS "${column.name}"` : `"${column.name}"`,
  ),
  insert: prepareInsert(table),
}));

const countRows = async ({ query }: Session): Promise<number> => {
  const counts = tables.map(({ name }) => `(SELECT count(*) FROM ${name})`).join(' + ');
  const [row] = await query<{ total: bigint }>(`SELECT ${counts} AS total`);
  return Number(row?.total);
};

/** Those of extensions are not tables of somebody. */
const readOthers = async ({ query }: Session): Promise<readonly string[]> => {
  const own = tablesOf(schema).map(getTableName);
  const rows = await query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
    WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND relkind IN ('r', 'p', 'f', 'm')
      AND relname <> ALL($1::text[])
      AND NOT EXISTS (SELECT FROM pg_depend WHERE classid = 'pg_class'::regclass AND objid = pg_class.oid AND deptype = 'e')
    ORDER BY relname`,
    [toArray(own)],
  );
  return rows.map(({ name }) => name);
};

/** Throws OperatorError if a table has a column whose values would be lost. */
const expectKnownColumns = async ({ query }: Session): Promise<void> => {
  const known = tables.flatMap(({ name, table }) =>
    Object.values(getTableColumns(table)).map((column) => `${name}.${column.name}`),
  );
  const rows = await query<{ name: string }>(
    `SELECT relname || '.' || attname AS name FROM pg_attribute JOIN pg_class ON pg_class.oid = attrelid
    WHERE relnamespace = to_regnamespace(quote_ident(current_schema())) AND attnum > 0 AND NOT attisdropped
      AND relname = ANY($1::text[]) AND relname || '.' || attname <> ALL($2::text[])
    ORDER BY 1`,
    [toArray(tables.map(({ name }) => name)), toArray(known)],
  );
  if (rows.length === 0) return;
  const names = rows.map(({ name }) => name).join(', ');
  throw new OperatorError(`The source has columns that this program does not know: ${names}. Nothing was copied.`);
};

async function* dump(session: Session): AsyncGenerator<Rows> {
  const { query } = session;
  try {
    await beginLong(session, 'snapshot');
    await expectKnownColumns(session);
    for (const { name, columns, own, selected, order, batchRows } of tables) {
      await query(
        `DECLARE all_${name} NO SCROLL CURSOR FOR SELECT ${selected.join(', ')} FROM ${name} ORDER BY ${order}`,
      );
      // PostgreSQL reads the next rows while the previous ones are written.
      const fetch = () => query<Readonly<Record<string, Value>>>(`FETCH ${batchRows} FROM all_${name}`);
      let next = fetch();
      for (;;) {
        const found = await next;
        if (found.length === 0) break;
        next = fetch();
        // No code waits for it once the caller stops.
        next.catch(() => {});
        yield {
          table: name,
          columns,
          rows: found.map((row) => own.map((column) => toValue(column, row[column.name] ?? null))),
        };
      }
    }
    await query('COMMIT');
  } catch (error) {
    throw toAppError(error, 'read');
  }
}

const toValue = (column: Column, value: Value): Value =>
  isBytes(column) && typeof value === 'string' ? Buffer.from(value, 'base64') : value;

const restore = async (session: Session, batches: AsyncIterable<Rows>): Promise<void> => {
  const { query } = session;
  try {
    await writeLong(session, async () => {
      const rows = tables.map(({ name }) => `EXISTS (SELECT FROM ${name})`).join(' OR ');
      const [found] = await query<{ are_there: boolean }>(`SELECT ${rows} AS are_there`);
      if (found?.are_there) throw notEmptyError();
      for await (const batch of batches) await findTable(tables, batch).insert(session, batch.rows);
      await query('UPDATE log_head SET sequence = (SELECT coalesce(max(sequence), 0) FROM events)');
    });
  } catch (error) {
    session.close();
    throw error;
  }
};

/** Releases the in-use lock, and closes the connection. If it were only closed, the server would keep the lock for a moment. */
const unlock = async ({ query, close }: Session): Promise<void> => {
  const unlocking = query('SELECT pg_advisory_unlock_all()');
  await withDeadline(unlocking, performance.now() + inUseLockMsMax).catch(() => {});
  close();
};

/**
 * Reads or writes all rows of a file that no other process uses. Every connection has a shared lock of SQLite on the file,
 * which the system releases when the process ends. An exclusive lock excludes all others, and fails while another lock exists.
 */
import * as schema from '../../db/sqlite.ts';
import { AppError, fileReplaced } from '../base/app-error.ts';
import { OperatorError } from '../base/error.ts';
import { isWritable, realPathOf } from '../base/file-system.ts';
import { int64Max, int64Min, int64ToJson } from '../base/int64.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { connect, connectToRead, writeInBulk } from '../sqlite/client.ts';
import { checkPages, createDamage, damagedError } from '../sqlite/damage.ts';
import { isLocked, toAppError, toOpenError } from '../sqlite/errors.ts';
import { createFileIdentity } from '../sqlite/file.ts';
import { copiedTables, findTable, isBytes, notEmptyError } from '../storage/copy.ts';
import type { ExclusiveStore, Rows, Value } from '../storage/dump.ts';
import { isLeaseColumn } from '../webhooks/row.ts';
import { type OpenOptions, openSqliteStore } from './sqlite.ts';

/** Opens the file for exclusive use. Throws OperatorError with the reason if it must not be used, or is in use. */
export const openExclusiveSqlite = async (
  name: string,
  options: Pick<OpenOptions, 'create'>,
): Promise<ExclusiveStore> => {
  // Creates or checks the file, and migrates it.
  await openSqliteStore(name, options).close();
  const path = realPathOf(name);
  // What this process may not write is only read, and needs no lock.
  const client = options.create || isWritable(path) ? connectExclusively(path) : connectToRead(path);
  const identity = createFileIdentity(name, path);
  return {
    count: async () => {
      try {
        return tables.reduce((total, { name }) => total + countRows(client, name), 0);
      } catch (error) {
        throw await toReadError(client, error);
      }
    },
    dump: () => dump(client),
    // A file with tables of others is refused, except for those that Litestream makes again.
    others: async () => [],
    restore: async (batches) => {
      await restore(client, batches);
      if (identity.check()) throw new AppError(fileReplaced);
    },
    [Symbol.asyncDispose]: async () => client.close(),
  };
};

const connectExclusively = (path: string): SqliteClient => {
  try {
    return connect(path, { isExclusive: true });
  } catch (error) {
    if (isLocked(error))
      throw new OperatorError(`Database ${path} is in use. Stop serve and all other programs that use it.`);
    throw toOpenError(path, error);
  }
};

/** A copy has processes and migrations of its own. */
const tables = copiedTables(schema, [schema.senders, schema.schemaMigrations], isLeaseColumn);

const countRows = (client: SqliteClient, table: string): number =>
  Number(client.prepare<{ total: bigint }>(`SELECT count(*) AS total FROM ${table}`).all()[0]?.total);

/** Reads the tables in the order in which their rows were added, which is that of the rowid. */
async function* dump(client: SqliteClient): AsyncGenerator<Rows> {
  try {
    for (const { name, columns, own, ownNames, batchRows } of tables) {
      const page = client.prepare<Row, { from: bigint }>(
        `SELECT ${ownNames}, rowid AS row_number FROM ${name} WHERE rowid >= $from ORDER BY rowid LIMIT ${batchRows}`,
      );
      let from = int64Min;
      for (;;) {
        const found = page.all({ from });
        const last = found.at(-1)?.row_number;
        if (last === undefined) break;
        yield { table: name, columns, rows: found.map((row) => own.map((column) => row[column.name] ?? null)) };
        if (found.length < batchRows || last === int64Max) break;
        from = last + 1n;
      }
    }
  } catch (error) {
    throw await toReadError(client, error);
  }
}

const toReadError = async (client: SqliteClient, error: unknown): Promise<unknown> => {
  const damage = createDamage(client.filename);
  const known = await damage.toAppError(error, 'read', () => checkPages(client));
  return damage.isFound() ? damagedError(client.filename, 'Nothing was copied.') : known;
};

interface Row extends Readonly<Record<string, Value>> {
  readonly row_number: bigint;
}

const restore = async (client: SqliteClient, batches: AsyncIterable<Rows>): Promise<void> => {
  try {
    await writeInBulk(client, async () => {
      if (tables.some(({ name }) => client.prepare(`SELECT 1 FROM ${name} LIMIT 1`).all().length > 0))
        throw notEmptyError();
      const insertions = new Map(tables.map((table) => [table.name, prepareInsertion(client, table)]));
      for await (const batch of batches) insertions.get(findTable(tables, batch).name)?.run({ rows: encode(batch) });
    });
  } catch (error) {
    throw toAppError(error, 'write');
  }
};

const prepareInsertion = (client: SqliteClient, { name, own, ownNames }: (typeof tables)[number]) => {
  const values = own.map((column, index) => (isBytes(column) ? `unhex(value ->> ${index})` : `value ->> ${index}`));
  return client.prepare<never, { rows: string }>(
    `INSERT INTO ${name} (${ownNames}) SELECT ${values.join(', ')} FROM json_each($rows)`,
  );
};

const encode = ({ rows }: Rows): string => JSON.stringify(rows.map((row) => row.map(toJson)));

/** JSON has no bytes, so they are in hexadecimal. */
const toJson = (value: Value) => {
  if (typeof value === 'bigint') return int64ToJson(value);
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value;
};

import { constants, Database, type Statement } from 'bun:sqlite';
import { pathToFileURL } from 'node:url';
import type { Runtime, SqliteStatement, SqliteValue } from './runtime.ts';

export const openSqlite: Runtime['openSqlite'] = (path, { isReadOnly = false, isImmutable = false } = {}) => {
  const mode = isReadOnly ? { readonly: true } : { readwrite: true, create: path === memory };
  // Integers are bigint, and a statement refuses to run without one of its values.
  const database = isImmutable
    ? openImmutable(path)
    : new Database(path, { ...mode, safeIntegers: true, strict: true });
  // Else SQLite would keep the file open while a statement lives.
  const close = (): void => database.close(true);
  return {
    filename: path,
    get inTransaction() {
      return database.inTransaction;
    },
    run: (sql) => database.run(sql),
    prepare: <Row, Values>(sql: string) =>
      isImmutable
        ? toStatement<Row, Values>(database.prepare<Row, [Bound]>(sql))
        : database.prepare<Row, [Values & Record<string, SqliteValue>]>(sql),
    close,
    [Symbol.dispose]: close,
  };
};

const memory = ':memory:';

/** Bun takes either its own options or the flags of SQLite, and only with a flag a URL. */
const openImmutable = (path: string): Database =>
  new Database(`${pathToFileURL(path)}?immutable=1`, constants.SQLITE_OPEN_READONLY | constants.SQLITE_OPEN_URI);

type Bound = Record<string, SqliteValue>;

/** As with the options: integers are bigint, and the names of values have no `$`. */
const toStatement = <Row, Values>(statement: Statement<Row, [Bound]>): SqliteStatement<Row, Values & Bound> => {
  statement.safeIntegers(true);
  const withSigns = (values: Values & Bound): Bound =>
    Object.fromEntries(Object.entries(values ?? {}).map(([name, value]) => [`$${name}`, value]));
  return {
    run: (values: Values & Bound) => statement.run(withSigns(values)),
    all: (values: Values & Bound) => statement.all(withSigns(values)),
  };
};

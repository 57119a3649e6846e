import { Database } from 'bun:sqlite';
import type { Runtime, SqliteValue } from './runtime.ts';

export const openSqlite: Runtime['openSqlite'] = (path, { isReadOnly = false } = {}) => {
  const mode = isReadOnly ? { readonly: true } : { readwrite: true, create: path === memory };
  // Integers are bigint, and a statement refuses to run without one of its values.
  const database = new Database(path, { ...mode, safeIntegers: true, strict: true });
  // Else SQLite would keep the file open while a statement lives.
  const close = (): void => database.close(true);
  return {
    filename: path,
    get inTransaction() {
      return database.inTransaction;
    },
    run: (sql) => database.run(sql),
    prepare: <Row, Values>(sql: string) => database.prepare<Row, [Values & Record<string, SqliteValue>]>(sql),
    close,
    [Symbol.dispose]: close,
  };
};

const memory = ':memory:';

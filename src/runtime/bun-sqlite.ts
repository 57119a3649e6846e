import { dlopen, FFIType, JSCallback } from 'bun:ffi';
import { Database } from 'bun:sqlite';
import { writeSync } from 'node:fs';
import { constants } from 'node:os';
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

export const exitOnBusError = (line: string, exitCode: number, beforeExit: () => void): void => {
  if (process.platform !== 'linux' || handler) return;
  const libc = openLibc();
  if (!libc) return;
  // This thread has called SQLite, so JavaScript may run. A normal exit would close the connections, for which SQLite
  // reads the index again.
  handler = new JSCallback(
    () => {
      writeSync(stderr, `${line}\n`);
      beforeExit();
      libc.symbols._exit(exitCode);
    },
    { args: [FFIType.i32], returns: FFIType.void },
  );
  libc.symbols.signal(constants.signals.SIGBUS, handler.ptr);
};

const stderr = 2;

/** Referenced until the process ends. */
let handler: JSCallback | undefined;

/** glibc, or else musl. */
const openLibc = () => {
  const musl = `libc.musl-${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}.so.1`;
  for (const name of ['libc.so.6', musl]) {
    try {
      return dlopen(name, {
        signal: { args: [FFIType.i32, FFIType.ptr], returns: FFIType.ptr },
        _exit: { args: [FFIType.i32], returns: FFIType.void },
      });
    } catch {}
  }
  return undefined;
};

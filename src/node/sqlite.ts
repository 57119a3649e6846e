/** SQLite by node:sqlite, which Node and Deno have. */
import { getBuiltinModule } from 'node:process';
import type { StatementSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import type { OpenSqliteOptions, Runtime, SqliteStatement, SqliteValue } from '../runtime/runtime.ts';

export const openSqlite: Runtime['openSqlite'] = (path, { isImmutable = false, isReadOnly = isImmutable } = {}) => {
  // Loaded late, so that the program can start on a Node without this module, and say which version it needs.
  const { DatabaseSync } = getBuiltinModule('node:sqlite');
  const database = translating(
    () =>
      new DatabaseSync(locationOf(path, { isReadOnly, isImmutable }), {
        readOnly: isReadOnly,
        readBigInts: true,
        // As SQLite has it; a pragma decides.
        enableForeignKeyConstraints: false,
      }),
  );
  let isClosed = false;
  const prepare = <Row, Values>(sql: string): SqliteStatement<Row, Values> => {
    const names: string[] = [];
    const text = sql.replace(literalOrName, (part, name: string | undefined) => {
      if (name === undefined) return part;
      names.push(name);
      return '?';
    });
    return createStatement(
      translating(() => database.prepare(text)),
      names,
    );
  };
  const close = (): void => {
    if (!isClosed) database.close();
    isClosed = true;
  };
  return {
    filename: path,
    get inTransaction() {
      return database.isTransaction;
    },
    prepare,
    // On Deno, an error of `database.exec` has no code.
    run: (sql) => void prepare<never, void>(sql).run(),
    close,
    [Symbol.dispose]: close,
  };
};

/** Else node:sqlite would create a missing file. A database in memory has no location. */
const locationOf = (path: string, { isReadOnly, isImmutable }: Required<OpenSqliteOptions>): string | URL => {
  if (path === ':memory:') return path;
  const url = pathToFileURL(path);
  url.searchParams.set('mode', isReadOnly ? 'ro' : 'rw');
  if (isImmutable) url.searchParams.set('immutable', '1');
  return url;
};

/** A text or a name in quotes, or else the name of a value. */
const literalOrName = /'[^']*'|"[^"]*"|\$(\w+)/g;

/** Passes the values by their position, since node:sqlite takes twice as long to find names, and binds NULL for a missing one. */
const createStatement = <Row, Values>(
  statement: StatementSync,
  names: readonly string[],
): SqliteStatement<Row, Values> => {
  const ordered = (values: unknown) =>
    names.map((name) => {
      const value = (values as Readonly<Record<string, SqliteValue>>)[name];
      if (value === undefined) throw new TypeError(`The value ${name} of a statement is missing.`);
      // A number would be bound as REAL.
      return typeof value === 'number' ? BigInt(value) : value;
    });
  return {
    run: (values) => translating(() => ({ changes: Number(statement.run(...ordered(values)).changes) })),
    all: (values) => translating(() => statement.all(...ordered(values)) as Row[]),
  };
};

/** Converts errors to the form of bun:sqlite: `code` has SQLite's name of the extended result code. */
const translating = <Result>(call: () => Result): Result => {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ERR_SQLITE_ERROR')) throw error;
    // On Deno, only the error of opening has no number.
    const number = 'errcode' in error && typeof error.errcode === 'number' ? error.errcode : cannotOpen;
    throw new SqliteError(error.message, codeNameOf(number));
  }
};

const cannotOpen = 14;

class SqliteError extends Error {
  override readonly name = 'SQLiteError';
  readonly code: string;
  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** SQLite's name of an extended result code (https://www.sqlite.org/rescode.html). Of an unknown one, that of its primary code. */
const codeNameOf = (code: number): string => {
  const primary = primaryNames[code & 0xff] ?? 'ERROR';
  const extension = extensions[primary]?.split(' ')[(code >> 8) - 1];
  return `SQLITE_${primary}${extension === undefined ? '' : `_${extension}`}`;
};

/** By their numbers. */
const primaryNames =
  'OK ERROR INTERNAL PERM ABORT BUSY LOCKED NOMEM READONLY INTERRUPT IOERR CORRUPT NOTFOUND FULL CANTOPEN PROTOCOL EMPTY SCHEMA TOOBIG CONSTRAINT MISMATCH MISUSE NOLFS AUTH FORMAT RANGE NOTADB NOTICE WARNING'.split(
    ' ',
  );

/** By their numbers, from 1. */
const extensions: Readonly<Record<string, string>> = {
  ERROR: 'MISSING_COLLSEQ RETRY SNAPSHOT RESERVESIZE KEY UNABLE',
  BUSY: 'RECOVERY SNAPSHOT TIMEOUT',
  LOCKED: 'SHAREDCACHE VTAB',
  READONLY: 'RECOVERY CANTLOCK ROLLBACK DBMOVED CANTINIT DIRECTORY',
  IOERR:
    'READ SHORT_READ WRITE FSYNC DIR_FSYNC TRUNCATE FSTAT UNLOCK RDLOCK DELETE BLOCKED NOMEM ACCESS CHECKRESERVEDLOCK LOCK CLOSE DIR_CLOSE SHMOPEN SHMSIZE SHMLOCK SHMMAP SEEK DELETE_NOENT MMAP GETTEMPPATH CONVPATH VNODE AUTH BEGIN_ATOMIC COMMIT_ATOMIC ROLLBACK_ATOMIC DATA CORRUPTFS IN_PAGE BADKEY CODEC',
  CORRUPT: 'VTAB SEQUENCE INDEX',
  CANTOPEN: 'NOTEMPDIR ISDIR FULLPATH CONVPATH DIRTYWAL SYMLINK',
  CONSTRAINT: 'CHECK COMMITHOOK FOREIGNKEY FUNCTION NOTNULL PRIMARYKEY TRIGGER UNIQUE VTAB ROWID PINNED DATATYPE',
};

import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'bun:test';
import { setTimeout } from 'node:timers/promises';
import { openPostgresStore, type OpenOptions as PostgresOptions } from '../../src/postgres/open.ts';
import { addressesOf } from '../../src/postgres/session/address.ts';
import { isPostgresUrl, parsePostgresUrl } from '../../src/postgres/url.ts';
import type { SqliteClient } from '../../src/runtime/runtime.ts';
import { connect, memory, runInTransaction } from '../../src/store/sqlite/client.ts';
import { createFileIdentity } from '../../src/store/sqlite/file.ts';
import { migrate } from '../../src/store/sqlite/migrate.ts';
import { createStore, openSqliteStore, type OpenOptions as SqliteOptions } from '../../src/store/sqlite/open.ts';
import { createTransactions } from '../../src/store/sqlite/transactions.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from './folder.ts';
import { freshDatabase } from './postgres-database.ts';

type OpenOptions = Pick<SqliteOptions & PostgresOptions, 'observer'>;

/** The engines of the contract tests in `tests/store/`: one row for each. */
export interface Engine {
  readonly name: string;
  /** Opens a new store; its files are in the folder. */
  readonly open: (folder: string) => Promise<Store>;
  /** Whether other operations can run during a long one, which needs more than one connection. */
  readonly isConcurrent?: boolean;
}

/** A database that can be opened many times. Use with `await using`. */
export interface TestDatabase extends AsyncDisposable {
  /** As `DATABASE_URL` takes it: a path for SQLite. */
  readonly url: string;
}

/** The engines for the tests of the layers above the store. */
export interface BehaviourEngine {
  readonly name: string;
  /** Opens a fresh store, whose database is removed with it. */
  readonly open: () => Promise<Store>;
  readonly createDatabase: () => Promise<TestDatabase>;
}

const openSqlite = async (path: string, options?: OpenOptions): Promise<Store> => openSqliteStore(path, options);

export const openPostgres = async (url: string, options?: OpenOptions): Promise<Store> => {
  const store = openPostgresStore(addressesOf(parsePostgresUrl(url)), options);
  await store.opened;
  return store;
};

interface OpenStore {
  readonly store: Store;
  /** Removes all rows, for another test. */
  readonly empty: () => Promise<void>;
}

/**
 * Opens a store, or empties one that a test has closed. A store has no state but its tables and the tokens that it has found, and each
 * test has new tokens. Opening a store takes longer than the rest of most tests.
 */
const openInTurn = (openNew: () => Promise<OpenStore>): (() => Promise<Store>) => {
  const idle: OpenStore[] = [];
  return async () => {
    const used = idle.pop();
    await used?.empty();
    const open = used ?? (await openNew());
    let isClosed = false;
    const close = async (): Promise<void> => {
      if (!isClosed) idle.push(open);
      isClosed = true;
    };
    return { ...open.store, close };
  };
};

const openInMemory = async (): Promise<OpenStore> => {
  const client = connect(memory);
  migrate(client);
  const store = createStore(createTransactions(client, createFileIdentity(memory, memory)));
  return { store, empty: () => emptyInMemory(client) };
};

const emptyInMemory = async (client: SqliteClient): Promise<void> => {
  // The reads of a turn of the event loop share a transaction, which ends with it.
  do await setTimeout(0);
  while (client.inTransaction);
  const tables = client.prepare<{ name: string }>("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
  runInTransaction(client, () => {
    client.run('PRAGMA defer_foreign_keys = ON');
    for (const { name } of tables) if (name !== 'schema_migrations') client.run(`DELETE FROM ${name}`);
  });
};

export const sqlite: BehaviourEngine = {
  name: 'SQLite',
  open: openInTurn(openInMemory),
  createDatabase: async () => {
    const folder = temporaryFolder();
    return { url: folder.file('plants.sqlite'), [Symbol.asyncDispose]: async () => folder[Symbol.dispose]() };
  },
};

const postgres: BehaviourEngine = {
  name: 'PostgreSQL',
  open: openInTurn(async () => {
    const database = await freshDatabase();
    return { store: await openPostgres(database.url), empty: database.empty };
  }),
  createDatabase: freshDatabase,
};

export const behaviourEngines: readonly BehaviourEngine[] = [sqlite, postgres];

export const engines: Engine[] = [
  { ...sqlite, name: 'SQLite in memory' },
  {
    name: 'SQLite in a file',
    open: (folder) => openSqlite(`${folder}/plants.sqlite`),
    isConcurrent: true,
  },
  { ...postgres, isConcurrent: true },
];

/** Runs the tests that `define` defines on every engine. Before each, `use` gets a fresh store, which is closed after it. */
export const onEveryEngine = (use: (store: Store) => void, define: () => void): void => {
  describe.each(engines)('$name', ({ open }) => {
    let folder: ReturnType<typeof temporaryFolder>;
    let store: Store;
    beforeEach(async () => {
      folder = temporaryFolder();
      store = await open(folder.path);
      use(store);
    });
    afterEach(async () => {
      await store.close();
      folder[Symbol.dispose]();
    });
    define();
  });
};

/** The engine that the current tests run on. */
let present = sqlite;
const openUrl = (url: string, options?: OpenOptions): Promise<Store> =>
  isPostgresUrl(url) ? openPostgres(url, options) : openSqlite(url, options);

/** The stores that `openTestStore` has opened and no test has closed. */
const opened = new Set<Store>();

/** Creates a database of the engine that the current tests run on. */
export const createTestDatabase = (): Promise<TestDatabase> => present.createDatabase();

/**
 * Opens the database of this URL with these options, or a fresh one of the engine that the current tests run on: SQLite in memory,
 * unless they are inside `onBothEngines`. Inside, it is closed after the test, or after the last one if it was opened before all of them.
 */
export const openTestStore = async (url?: string, options?: OpenOptions): Promise<Store> => {
  const store = await (url === undefined ? present.open() : openUrl(url, options));
  const close = async (): Promise<void> => {
    if (opened.delete(own)) await store.close();
  };
  const own = { ...store, close };
  opened.add(own);
  return own;
};

/** Runs the tests that `define` defines on SQLite and on PostgreSQL; `openTestStore` and `createTestApp` use each in turn. */
export const onBothEngines = (define: () => void): void => {
  describe.each(behaviourEngines)('$name', (engine) => {
    let shared: ReadonlySet<Store>;
    beforeAll(() => {
      present = engine;
    });
    beforeEach(() => {
      shared = new Set(opened);
    });
    define();
    afterEach(() => closeAll([...opened].filter((store) => !shared.has(store))));
    afterAll(async () => {
      await closeAll([...opened]);
      present = sqlite;
    });
  });
};

const closeAll = async (stores: readonly Store[]): Promise<void> => {
  for (const store of stores) await store.close();
};

import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'bun:test';
import { setTimeout } from 'node:timers/promises';
import { isPostgresUrl } from '../../../src/config/setting-values.ts';
import { createStore, openSqliteStore } from '../../../src/engines/sqlite.ts';
import type { SqliteClient } from '../../../src/runtime/runtime.ts';
import { connect, memory, runInTransaction } from '../../../src/sqlite/client.ts';
import { createFileIdentity } from '../../../src/sqlite/file.ts';
import { migrate } from '../../../src/sqlite/migrate.ts';
import { createTransactions } from '../../../src/sqlite/transactions.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryFolder } from '../folder.ts';
import {
  type BehaviourEngine,
  type Engine,
  type OpenOptions,
  type OpenStore,
  openInTurn,
  type TestDatabase,
} from './engine.ts';
import { hasPostgres } from './has-postgres.ts';

const openSqlite = async (path: string, options?: OpenOptions): Promise<Store> => openSqliteStore(path, options);

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

const postgres = hasPostgres ? await import('./postgres-engine.ts') : undefined;
const others: readonly BehaviourEngine[] = postgres ? [postgres.postgres] : [];

/** `TEST_ENGINE` names the only one that is tested, for a run on another server. */
const isTested = ({ name }: { readonly name: string }): boolean => name.startsWith(process.env['TEST_ENGINE'] ?? '');

export const behaviourEngines: readonly BehaviourEngine[] = [sqlite, ...others].filter(isTested);

const allEngines: readonly Engine[] = [
  { ...sqlite, name: 'SQLite in memory' },
  {
    name: 'SQLite in a file',
    open: (folder) => openSqlite(`${folder}/plants.sqlite`),
    isConcurrent: true,
  },
  ...others.map((engine) => ({ ...engine, isConcurrent: true })),
];

export const engines: readonly Engine[] = allEngines.filter(isTested);

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
  postgres && isPostgresUrl(url) ? postgres.openPostgres(url, options) : openSqlite(url, options);

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

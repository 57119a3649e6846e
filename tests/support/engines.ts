import { afterEach, beforeEach, describe } from 'bun:test';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from './folder.ts';

/** What the contract tests, in `tests/store/`, are run on: one row for each engine. */
export interface Engine {
  readonly name: string;
  /** Opens a fresh store; what it needs on the disk goes into the folder. */
  readonly open: (folder: string) => Promise<Store>;
  /** Opens what a backup has written. Absent for an engine that has one connection alone and cannot do two things at once. */
  readonly openBackup?: (path: string) => Promise<Store>;
}

/** Opens the engine that behaviour is tested on: a database in memory, or one in this file. */
export const openTestStore = async (path = ':memory:'): Promise<Store> => openSqliteStore(path);

export const engines: Engine[] = [
  { name: 'SQLite in memory', open: () => openTestStore() },
  { name: 'SQLite in a file', open: (folder) => openTestStore(`${folder}/plants.sqlite`), openBackup: openTestStore },
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

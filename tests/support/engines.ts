import { afterEach, beforeEach, describe } from 'bun:test';
import { openSqliteStore } from '../../src/store/sqlite/open.ts';
import type { Store } from '../../src/store/store.ts';
import { temporaryFolder } from './folder.ts';

/** What the contract tests of the store, `store*.test.ts`, are put through: one row for each engine. */
export interface Engine {
  readonly name: string;
  /** Opens a fresh store; what it needs on the disk goes into the folder. */
  readonly open: (folder: string) => Store;
  /** Opens what a backup has written. Absent for an engine that has one connection alone and cannot do two things at once. */
  readonly openBackup?: (path: string) => Store;
}

export const engines: Engine[] = [
  { name: 'SQLite in memory', open: () => openSqliteStore(':memory:') },
  {
    name: 'SQLite in a file',
    open: (folder) => openSqliteStore(`${folder}/plants.sqlite`),
    openBackup: openSqliteStore,
  },
];

/** Runs the tests that `define` defines on every engine. Before each, `use` is given a fresh store, which is closed after it. */
export const onEveryEngine = (use: (store: Store) => void, define: () => void): void => {
  describe.each(engines)('$name', ({ open }) => {
    let folder: ReturnType<typeof temporaryFolder>;
    let store: Store;
    beforeEach(() => {
      folder = temporaryFolder();
      store = open(folder.path);
      use(store);
    });
    afterEach(async () => {
      await store.close();
      folder[Symbol.dispose]();
    });
    define();
  });
};

/** What the tests need of an engine of the store. */
import type { OpenOptions as ServerOptions } from '../../../src/store/engine.ts';
import type { Store } from '../../../src/store/store.ts';

export type OpenOptions = Pick<ServerOptions, 'observer'>;

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

export interface OpenStore {
  readonly store: Store;
  /** Removes all rows, for another test. */
  readonly empty: () => Promise<void>;
}

/**
 * Opens a store, or empties one that a test has closed. A store has no state but its tables and the tokens that it has found, and each
 * test has new tokens. Opening a store takes longer than the rest of most tests.
 */
export const openInTurn = (openNew: () => Promise<OpenStore>): (() => Promise<Store>) => {
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

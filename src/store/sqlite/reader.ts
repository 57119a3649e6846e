import type { Database } from 'bun:sqlite';

export interface Reader {
  /**
   * Runs a query on what is committed when it is called. The query is over when it returns: it leaves no iterator open, and
   * neither reads nor writes by another way.
   */
  read<Result>(query: () => Result): Result;
  /** Called in a query: another value than before whenever another connection has committed, and possibly otherwise. */
  version(): unknown;
  /** Ends the read transaction, if there is one: before a write. */
  release(): void;
  /** Before the client is closed. */
  close(): void;
}

/**
 * Queries share a read transaction for as long as nobody commits, since to begin one takes longer than to find a row. Whether
 * anybody has is looked up for each query, so none ever shows what was before it. The transaction ends with the turn of the
 * event loop, so that it does not keep the log from being written back.
 *
 * `look` is that of `openWalIndex`; without one each query has a transaction of its own. `check` is called before SQLite or `look` reads the
 * index, and what it throws is thrown.
 */
export const createReader = (
  client: Database,
  look: (() => bigint | undefined) | undefined,
  check: () => void,
): Reader => {
  if (!look) return createPlainReader(client, check);
  const begin = client.prepare('BEGIN');
  const end = client.prepare('COMMIT');
  let isClosed = false;
  let isHeld = false;
  let lookedLike: bigint | undefined;

  const release = (): void => {
    if (!isHeld) return;
    isHeld = false;
    if (client.inTransaction) end.run();
  };
  const hold = (looksLike: bigint | undefined): void => {
    release();
    begin.run();
    isHeld = true;
    lookedLike = looksLike;
    setImmediate(release);
  };
  return {
    read: (query) => {
      if (isClosed) throw new Error('The store is closed.');
      if (!isHeld) check();
      const looksLike = look();
      if (!isHeld || looksLike !== lookedLike) hold(looksLike);
      try {
        return query();
      } catch (error) {
        release();
        throw error;
      }
    },
    version: () => lookedLike,
    release,
    close: () => {
      release();
      isClosed = true;
    },
  };
};

const createPlainReader = (client: Database, check: () => void): Reader => {
  const dataVersion = client.prepare<{ data_version: bigint }, []>('PRAGMA data_version');
  const nothing = (): void => {};
  return {
    read: (query) => {
      check();
      return query();
    },
    version: () => dataVersion.get()?.data_version,
    release: nothing,
    close: nothing,
  };
};

import { createTurnLimit } from '../base/event-loop.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { connect, isLockedExclusively, isQueryOnly, memory, neverBlocking, writeInBulk } from './client.ts';
import type { Damage } from './damage.ts';
import type { FileWatch } from './file-watch.ts';
import type { Snapshot } from './snapshot.ts';

/** Waits only for what it does with the client, and for `nextTurn`. */
export type WriteInBulk<Result> = (client: SqliteClient, nextTurn: () => Promise<void>) => Promise<Result>;

/**
 * Transactions that stay open over many awaits while the store does other work. Each has a client of its own; SQLite writes the pages
 * that do not fit in memory to its log. A database in memory, one that is locked exclusively, and one that is only read have one client,
 * so no other operation may run meanwhile.
 */
export const createBulkTransactions = (client: SqliteClient, snapshot: Snapshot, watch: FileWatch, damage: Damage) => {
  const isShared = client.filename === memory || isLockedExclusively(client) || isQueryOnly(client);

  /** Lends a client, which must be disposed of. */
  const borrow = (): Disposable & { readonly client: SqliteClient } => {
    if (isShared) {
      snapshot.end();
      return { client, [Symbol.dispose]: () => {} };
    }
    watch.throwIfReplaced();
    const own = neverBlocking(connect(client.filename));
    const release = (): void => {
      snapshot.end();
      own.close();
    };
    return { client: own, [Symbol.dispose]: release };
  };

  /** One step of all transactions in one turn. */
  const { step } = createTurnLimit(1);
  const nextTurn = async (): Promise<void> => {
    if (!isShared) await step();
  };

  return {
    /**
     * Commits when `write` resolves, and rolls back when it rejects. Between its steps it awaits `nextTurn`, so that other work goes on: only
     * with a shared client it must not.
     */
    write: async <Result>(write: WriteInBulk<Result>): Promise<Result> => {
      try {
        using borrowed = borrow();
        const result = await writeInBulk(borrowed.client, () => write(borrowed.client, nextTurn));
        watch.expectCommitted();
        return result;
      } catch (error) {
        throw await damage.toAppError(error, 'write');
      }
    },
    /** Yields what `read` yields, from one snapshot, and awaits `nextTurn` after each part. */
    read: async function* <Part>(read: (client: SqliteClient) => AsyncIterable<Part>): AsyncGenerator<Part> {
      try {
        using borrowed = borrow();
        // The snapshot begins with the first read, and ends with the client.
        if (!isShared) borrowed.client.run('BEGIN');
        for await (const part of read(borrowed.client)) {
          yield part;
          await nextTurn();
        }
      } catch (error) {
        throw await damage.toAppError(error, 'read');
      }
    },
  };
};

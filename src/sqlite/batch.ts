import type { SqliteClient } from '../runtime/runtime.ts';
import { isFatal } from './errors.ts';
import type { Settle, Write } from './queue.ts';

/**
 * The transaction of a batch of writes. A failed write does not affect the others. Few writes fail, so the batch first runs without
 * savepoints, for which SQLite copies each page that is changed. When a write fails, all are rolled back and run again, each in its own
 * savepoint. So a change may run twice, and it is synchronous: during an `await`, other code could use the transaction.
 *
 * `refuse` is called, after the transaction, with a write that has failed.
 */
export const createBatchTransaction = (client: SqliteClient, refuse: (write: Write, error: unknown) => void) => {
  const begin = client.prepare('BEGIN IMMEDIATE');
  const end = client.prepare('COMMIT');
  const rollback = client.prepare('ROLLBACK');
  const savepoint = client.prepare('SAVEPOINT undoable');
  const release = client.prepare('RELEASE undoable');
  const undo = client.prepare('ROLLBACK TO undoable');

  const throwIfEnded = (error: unknown): void => {
    if (isFatal(error) || !client.inTransaction) throw error;
  };

  const runAlone = (write: Write): Settle => {
    savepoint.run();
    let settle: Settle;
    try {
      settle = write.run();
    } catch (error) {
      throwIfEnded(error);
      undo.run();
      settle = () => refuse(write, error);
    }
    release.run();
    return settle;
  };

  const runAll = (batch: readonly Write[]): Settle[] => {
    try {
      return batch.map((write) => write.run());
    } catch (error) {
      throwIfEnded(error);
      rollback.run();
      begin.run();
      return batch.map(runAlone);
    }
  };

  return {
    begin: (): void => void begin.run(),
    /** Runs a write in a transaction of its own, and rolls it back. */
    rehearse: ({ run }: Write): void => {
      begin.run();
      try {
        run();
      } finally {
        rollback.run();
      }
    },
    /**
     * Commits the writes, and returns the functions that settle them, in their order. Throws if the whole transaction failed, and if another
     * process has taken the lock before they ran again.
     */
    commit: (batch: readonly Write[]): Settle[] => {
      try {
        const outcomes = runAll(batch);
        end.run();
        return outcomes;
      } catch (error) {
        if (client.inTransaction && !isFatal(error)) rollback.run();
        throw error;
      }
    },
  };
};

import type { SqliteClient } from '../../runtime/runtime.ts';
import { isFatal, toAppError } from './errors.ts';
import type { Settle, Write } from './queue.ts';

/**
 * The transaction of a batch of writes. A failed write does not affect the others. Few writes fail, so the batch first runs without
 * a savepoint for each. When one fails, all are rolled back and run again, each in its own savepoint. So a change may run twice, and it is
 * synchronous: during an `await`, other code could use the transaction.
 *
 * A lone write has no savepoint: SQLite would keep a copy of each page that it changes.
 */
export const createBatchTransaction = (client: SqliteClient) => {
  const begin = client.prepare('BEGIN IMMEDIATE');
  const end = client.prepare('COMMIT');
  const rollback = client.prepare('ROLLBACK');
  const savepoint = client.prepare('SAVEPOINT undoable');
  const release = client.prepare('RELEASE undoable');
  const undo = client.prepare('ROLLBACK TO undoable');

  const throwIfEnded = (error: unknown): void => {
    if (isFatal(error) || !client.inTransaction) throw error;
  };

  const runAlone = ({ run, reject }: Write): Settle => {
    savepoint.run();
    let settle: Settle;
    try {
      settle = run();
    } catch (error) {
      throwIfEnded(error);
      undo.run();
      settle = () => reject(toAppError(error, 'write'));
    }
    release.run();
    return settle;
  };

  const runAll = (batch: readonly Write[]): Settle[] => {
    savepoint.run();
    try {
      return batch.map((write) => write.run());
    } catch (error) {
      throwIfEnded(error);
      undo.run();
      return batch.map(runAlone);
    }
  };

  const commitAlone = ({ run, reject }: Write): Settle => {
    let settle: Settle;
    try {
      settle = run();
    } catch (error) {
      throwIfEnded(error);
      rollback.run();
      return () => reject(toAppError(error, 'write'));
    }
    end.run();
    return settle;
  };

  const commitAll = (batch: readonly Write[]): Settle[] => {
    const outcomes = runAll(batch);
    end.run();
    return outcomes;
  };

  return {
    begin: (): void => void begin.run(),
    /** Commits the writes, and returns the functions that settle them, in their order. Throws if the whole transaction failed. */
    commit: (batch: readonly Write[]): Settle[] => {
      try {
        return batch.length === 1 ? batch.map(commitAlone) : commitAll(batch);
      } catch (error) {
        if (client.inTransaction && !isFatal(error)) rollback.run();
        throw error;
      }
    },
  };
};

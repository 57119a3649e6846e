import { AppError, fileReplaced } from '../base/app-error.ts';
import { checkMs, repeat } from '../base/repeat.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { type FileReplaced, isSqliteError } from './errors.ts';
import type { FileIdentity } from './file.ts';
import type { Snapshot } from './snapshot.ts';

export type FileWatch = ReturnType<typeof createFileWatch>;

/**
 * Watches whether the files of an open database are still in place. `onReplaced` is called once, when they are not. Until it is closed, it
 * also looks while nothing is written.
 */
export const createFileWatch = (
  client: SqliteClient,
  snapshot: Snapshot,
  files: FileIdentity,
  onReplaced: (error: FileReplaced) => void,
) => {
  let replaced: FileReplaced | undefined;

  const isReplaced = (check = files.check): boolean => {
    if (replaced) return true;
    replaced = check();
    if (!replaced) return false;
    emptyOrphanedLog();
    onReplaced(replaced);
    return true;
  };

  /** Checkpoints the log into its own database, wherever that is now, so that no other database gets it. */
  const emptyOrphanedLog = (): void => {
    if (!files.isLogOrphaned()) return;
    try {
      snapshot.end();
      client.run('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      if (!isSqliteError(error)) throw error;
    }
  };

  const throwIfReplaced = (check = files.check): void => {
    if (isReplaced(check)) throw replaced;
  };

  const stop = repeat(() => isReplaced(), checkMs);

  return {
    throwIfReplaced: (): void => throwIfReplaced(),
    /** Before each transaction, at a third of the cost. */
    throwIfIndexReplaced: (): void => throwIfReplaced(files.checkIndex),
    /** After a commit: throws AppError `outcome_unknown` if it may have written to the replaced files. */
    expectCommitted: (): void => {
      if (isReplaced()) throw new AppError(fileReplaced, { cause: replaced });
    },
    /** To be called before the client is closed. */
    close: (): void => {
      stop();
      if (!isReplaced()) return;
      files.extendIndex();
      // Again: a transaction that was open at the detection has kept the log.
      emptyOrphanedLog();
    },
  };
};

import { setImmediate } from 'node:timers/promises';
import { createDraft, isTakenName } from '../../base/draft.ts';
import { OperatorError } from '../../base/error.ts';
import type { BackupOptions } from '../store.ts';
import type { Connection } from './connection.ts';
import { toAppError, whileLocked } from './failure.ts';
import { refuseIfLogRemains, suffixes } from './file.ts';
import { inspect } from './migrate.ts';

/**
 * Copies the database through SQLite, which takes one snapshot while others write, into a draft; checks every page of the copy;
 * and only then gives it its name. Rejects with OperatorError when the name is taken.
 */
export const backup = async (
  connection: Connection,
  path: string,
  { overwrite, signal }: BackupOptions,
): Promise<void> => {
  if (isTakenName(path) && !overwrite) throw taken();
  refuseIfLogRemains(path);
  using draft = createDraft(path, suffixes);
  try {
    using borrowed = connection.borrow();
    // Into a file that is there and empty: SQLite takes it for one that it may write.
    await whileLocked(() => borrowed.client.run('VACUUM INTO ?', [draft.path]));
    await throwIfAborted(signal);
    inspect(draft.path, { checkedBytesMax: Number.POSITIVE_INFINITY });
    await throwIfAborted(signal);
    draft.take({ replace: overwrite });
  } catch (error) {
    throw isTaken(error) ? taken() : toAppError(error, 'write');
  }
};

/** A signal is delivered between turns of the event loop. */
const throwIfAborted = async (signal: AbortSignal | undefined): Promise<void> => {
  await setImmediate();
  signal?.throwIfAborted();
};

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

const taken = (): OperatorError => new OperatorError('There is a file of that name already, and it was left as it is.');

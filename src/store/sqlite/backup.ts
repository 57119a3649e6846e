import { setImmediate } from 'node:timers/promises';
import { codeOf, OperatorError } from '../../base/error.ts';
import { createDraft, isTakenName } from '../../base/temporary-file.ts';
import type { BackupOptions } from '../store.ts';
import type { Connection } from './connection.ts';
import { retryWhileLocked, toAppError } from './errors.ts';
import { suffixes, throwIfLogRemains } from './file.ts';
import { inspect } from './migrate.ts';

/** Copies one snapshot of the database into a draft, checks every page of the copy, and then renames it to `path`. */
export const backup = async (
  connection: Connection,
  path: string,
  { overwrite, signal }: BackupOptions,
): Promise<void> => {
  if (isTakenName(path) && !overwrite) throw taken(path);
  throwIfLogRemains(path);
  using draft = createDraft(path, suffixes);
  try {
    using borrowed = connection.borrow();
    // The draft is an empty file, into which SQLite writes.
    const { client } = borrowed;
    await retryWhileLocked(() => client.prepare<never, { path: string }>('VACUUM INTO $path').run(draft));
    await throwIfAborted(signal);
    inspect(draft.path, { checkedBytesMax: Number.POSITIVE_INFINITY });
    await throwIfAborted(signal);
    draft.take({ replace: overwrite });
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? taken(path) : toAppError(error, 'write');
  }
};

/** Signals arrive between turns of the event loop. */
const throwIfAborted = async (signal: AbortSignal | undefined): Promise<void> => {
  await setImmediate();
  signal?.throwIfAborted();
};

const taken = (path: string): OperatorError => new OperatorError(`${path} exists. It was not changed.`);

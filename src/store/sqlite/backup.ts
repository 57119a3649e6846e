import { closeSync, existsSync, fsyncSync, openSync, renameSync } from 'node:fs';
import { AppError } from '../../domain/error.ts';
import type { Connection } from './connection.ts';
import { asAppError, whileBusy } from './failure.ts';
import { refuseIfLogRemains, removeIfThere, takeName } from './file.ts';
import { inspect } from './migrate.ts';

/**
 * Copies the database through SQLite, which takes one snapshot while others write, under another name; checks every page of
 * the copy; and only then gives it its name. Rejects with AppError `unavailable` when the name is taken.
 */
export const backup = async (
  connection: Connection,
  path: string,
  { overwrite }: { overwrite: boolean },
): Promise<void> => {
  if (existsSync(path) && !overwrite) throw taken();
  refuseIfLogRemains(path);
  const draft = `${path}.${process.pid}.new`;
  try {
    using borrowed = connection.borrow();
    await whileBusy(() => borrowed.client.run('VACUUM INTO ?', [draft]));
    inspect(draft, { checkedBytesMax: Number.POSITIVE_INFINITY });
    sync(draft);
    if (overwrite) renameSync(draft, path);
    else takeName(draft, path);
  } catch (error) {
    throw isTaken(error) ? taken() : asAppError(error, 'write');
  } finally {
    for (const suffix of ['', '-journal', '-wal', '-shm']) removeIfThere(draft + suffix);
  }
};

const sync = (path: string): void => {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

const isTaken = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'EEXIST';

const taken = (): AppError =>
  new AppError('unavailable', 'There is a file of that name already, and it was left as it is.');

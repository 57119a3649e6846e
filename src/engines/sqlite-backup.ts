import { setImmediate } from 'node:timers/promises';
import { runtime } from '#runtime';
import { codeOf, OperatorError } from '../base/error.ts';
import { isWritable, realPathOf } from '../base/file-system.ts';
import { createDraft, isTakenName } from '../base/temporary-file.ts';
import type { SqliteClient } from '../runtime/runtime.ts';
import { closeOnFailure, lockExclusively, openAlsoOnFullDisk, openUnwritable } from '../sqlite/client.ts';
import { createDamage, damagedError, isIntact } from '../sqlite/damage.ts';
import { retryWhileLocked } from '../sqlite/errors.ts';
import { suffixes, throwIfLogRemains, throwIfMissing } from '../sqlite/file.ts';
import { inspect } from '../sqlite/migrate.ts';

interface BackupOptions {
  readonly overwrite: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Copies one snapshot of the database with this name into a draft, and then renames that to `path`. A schema of an earlier version is copied
 * as it is, so that the backup before an upgrade belongs to the version before it. Rejects as `copyTo` does, and with OperatorError if `path`
 * exists and may not be overwritten.
 */
export const backup = async (name: string, path: string, { overwrite, signal }: BackupOptions): Promise<void> => {
  const source = realPathOf(name);
  throwIfMissing(source);
  if (isTakenName(path) && !overwrite) throw taken(path);
  throwIfLogRemains(path);
  using draft = createDraft(path, suffixes);
  await copyTo(source, draft.path, signal);
  try {
    draft.take({ replace: overwrite });
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? taken(path) : error;
  }
};

/**
 * Copies one snapshot of the database at `source` into an empty file, and checks all pages and indexes of the copy. Rejects with OperatorError
 * for a database that must not be used, and with the reason of the signal if that is aborted.
 */
export const copyTo = async (source: string, path: string, signal?: AbortSignal): Promise<void> => {
  inspect(source, { acceptsOlder: true });
  try {
    using client = isWritable(source) ? openToCopy(source) : openUnwritable(source);
    // The draft is an empty file, into which SQLite writes.
    await retryWhileLocked(() => client.prepare<never, { path: string }>('VACUUM INTO $path').run({ path }));
    await throwIfAborted(signal);
    if (!isFileIntact(path)) throw isFileIntact(source) ? copyDamaged(path) : damagedError(source, notWritten);
    await throwIfAborted(signal);
  } catch (error) {
    const damage = createDamage(source);
    const known = await damage.toAppError(error, 'write');
    throw damage.isFound() ? damagedError(source, notWritten) : known;
  }
};

/** Not read-only: the last connection removes the log when it is closed. */
const openToCopy = (source: string): SqliteClient =>
  openAlsoOnFullDisk(({ isExclusive }) =>
    closeOnFailure(runtime.openSqlite(source), (client) => {
      if (isExclusive) lockExclusively(client);
      client.prepare('PRAGMA schema_version').all();
    }),
  );

/** Also of the indexes: the copy of an index that lacks rows lacks them too. */
const isFileIntact = (path: string): boolean => {
  using client = isWritable(path) ? runtime.openSqlite(path) : openUnwritable(path);
  return isIntact(client, 'indexes');
};

const notWritten = 'Nothing was written.';

const copyDamaged = (path: string): OperatorError =>
  new OperatorError(`The copy of an intact database is damaged. Check the disk of ${path}. ${notWritten}`);

/** Signals arrive between turns of the event loop. */
const throwIfAborted = async (signal: AbortSignal | undefined): Promise<void> => {
  await setImmediate();
  signal?.throwIfAborted();
};

const taken = (path: string): OperatorError => new OperatorError(`${path} exists. It was not changed.`);

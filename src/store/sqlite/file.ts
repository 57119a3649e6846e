import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';
import { basename } from 'node:path';
import { AppError } from '../../domain/error.ts';

/**
 * Gives the whole file `draft` the name `path`, and never in the place of another file: unlike a rename, a link fails where
 * there is one. Throws the system's `EEXIST` then.
 */
export const takeName = (draft: string, path: string): void => {
  try {
    linkSync(draft, path);
  } catch (error) {
    if (existsSync(path) || !isWithoutLinks(error)) throw error;
    renameSync(draft, path);
  }
};

/**
 * Throws AppError `unavailable` when the log of another database lies where that of `path` would: SQLite would write what it
 * holds into the new one.
 */
export const refuseIfLogRemains = (path: string): void => {
  for (const log of [`${path}-wal`, `${path}-journal`]) {
    if (existsSync(log)) {
      throw new AppError(
        'unavailable',
        `The log of another database is in the way, ${basename(log)}. It was left as it is.`,
      );
    }
  }
};

/** Removes a file, and leaves it to the first error to say what went wrong. */
export const removeIfThere = (path: string): void => {
  try {
    rmSync(path, { force: true });
  } catch {}
};

/** Some file systems have no hard links: FAT, and some that are mounted into containers. */
const isWithoutLinks = (error: unknown): boolean =>
  error instanceof Error &&
  'code' in error &&
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(String(error.code));

import { existsSync, linkSync, renameSync, rmSync } from 'node:fs';

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

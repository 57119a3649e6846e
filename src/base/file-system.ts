/** What node:fs does not have. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { devNull } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { codeOf, tryTo } from './error.ts';

/**
 * The path of a file with all symbolic links followed, even broken ones. Neither the file nor its folders need exist. Throws
 * the error of the system, such as `ELOOP`.
 */
export const realPathOf = (path: string): string => {
  const folder = dirname(path);
  if (statSync(path, { throwIfNoEntry: false })) {
    const real = realpathSync.native(path);
    // A pipe behind `/dev/stdout` has no path.
    return existsSync(real) ? real : resolve(path);
  }
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
  if (isLink) return realPathOf(resolve(realpathSync.native(folder), readlinkSync(path)));
  return folder === path ? resolve(path) : join(realPathOf(folder), basename(path));
};

/**
 * Creates the folder and its parents, as far as they are missing, for their owner alone. Throws the error of the system, such as
 * `ENOENT` in /proc, where Node never returns from its own recursive call.
 */
export const createFolders = (path: string): void => {
  if (existsSync(path)) return;
  createFolders(dirname(path));
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    // Another process has created it.
    if (codeOf(error) !== 'EEXIST') throw error;
  }
};

/** Syncs a file, or the names in a folder, where the system can. */
export const syncPath = (path: string): void => {
  const file = openSync(path, 'r');
  try {
    tryTo(() => fsyncSync(file));
  } finally {
    closeSync(file);
  }
};

/** Whether the process can open another file or connection. The limit is RLIMIT_NOFILE (`ulimit -n`), which Bun raises to the hard limit. */
export const hasFreeDescriptor = (): boolean => {
  try {
    closeSync(openSync(devNull, 'r'));
    return true;
  } catch (error) {
    return !['EMFILE', 'ENFILE'].includes(codeOf(error) ?? '');
  }
};

/** What node:fs does not have. */
import {
  accessSync,
  closeSync,
  constants,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
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

/** Whether this process may write the file and its folder: not on a read-only medium. */
export const isWritable = (path: string): boolean =>
  [path, dirname(path)].every((one) =>
    tryTo(() => {
      accessSync(one, constants.W_OK);
      return true;
    }),
  );

/**
 * Whether the file at this real path is mounted alone, without its folder, as `docker run --volume ./a.sqlite:/data/a.sqlite` does. Only Linux
 * shows it.
 */
export const isMountedAlone = (path: string): boolean => {
  const mounts = tryTo(() => readFileSync('/proc/self/mountinfo', 'utf8')) ?? '';
  const escaped = path.replaceAll(/[\s\\]/g, (char) => `\\${char.charCodeAt(0).toString(8).padStart(3, '0')}`);
  return mounts.split('\n').some((line) => line.split(' ')[4] === escaped);
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

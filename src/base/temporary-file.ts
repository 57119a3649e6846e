/**
 * A file with a temporary name, which gets its final name once it is complete. The temporary name is random and the file is created
 * with O_EXCL, so no existing file is opened and no link is followed. A draft is removed when it is disposed of and when the
 * process ends: only SIGKILL, a crash of the runtime and a power cut leave one behind.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { codeOf, tryTo } from './error.ts';
import { exitCodeOf, handledSignals, listenTo } from './signal.ts';

/**
 * Creates an empty file of mode 0600 beside `target`. Files with the name of the draft and one of `suffixes` are removed with it. Throws
 * the error of the system, such as `ENOENT` if the folder is missing.
 */
export const createDraft = (target: string, suffixes: readonly string[] = []) => {
  const path = `${target}.${randomBytes(16).toString('hex')}.new`;
  closeSync(openSync(path, 'wx', 0o600));
  watch();
  const leave = (): boolean => drafts.delete(remove);
  const remove = (): void => {
    if (!leave()) return;
    for (const suffix of ['', ...suffixes]) removeIfThere(path + suffix);
  };
  drafts.add(remove);
  return {
    path,
    /** Syncs the file and gives it its final name. Throws `EEXIST` of the system if the name is taken and `replace` is false. */
    take: ({ replace }: { replace: boolean }): void => {
      sync(path);
      if (replace) renameSync(path, target);
      else takeFreeName(path, target);
    },
    /** Leaves the file with its temporary name, permanently. */
    leave,
    [Symbol.dispose]: remove,
  };
};

/** Whether the name is taken, even by a broken link. */
export const isTakenName = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

const drafts = new Set<() => void>();

process.on('exit', () => {
  for (const remove of drafts) remove();
});

let isWatching = false;

/** Without a handler, a signal would end the process before its `exit` event. Another handler of the signal decides what it does. */
const watch = (): void => {
  if (isWatching) return;
  isWatching = true;
  listenTo(handledSignals(), (signal) => {
    if (process.listenerCount(signal) === 1) process.exit(exitCodeOf(signal));
  });
};

const sync = (path: string): void => {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Unlike a rename, a link fails if the name is taken. */
const takeFreeName = (draft: string, path: string): void => {
  try {
    linkSync(draft, path);
    removeIfThere(draft);
  } catch (error) {
    if (isTakenName(path) || !noLinks.includes(codeOf(error) ?? '')) throw error;
    renameSync(draft, path);
  }
};

/** The errors of file systems without hard links: FAT, and some that are mounted into containers. */
const noLinks = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'];

/** An error here would hide the first one. */
const removeIfThere = (path: string): void => tryTo(() => rmSync(path, { force: true }));

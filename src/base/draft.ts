/**
 * A file under a temporary name, until it is whole and takes its own. The name cannot be guessed and the file is created with
 * O_EXCL, so nothing is opened that exists, and no link is followed; its mode is 0600. A draft is removed when it is disposed
 * of, and when the process exits or a signal ends it: only SIGKILL, a crash of the runtime and a power cut leave one behind.
 */
import { randomBytes } from 'node:crypto';
import { closeSync, fsyncSync, linkSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { codeOf } from './error-code.ts';
import { exitCodeOf, handledSignals, listenTo } from './signal.ts';

export interface Draft extends Disposable {
  readonly path: string;
  /** Syncs the file and gives it its own name. Throws the system's `EEXIST` when the name is taken, unless that file may be replaced. */
  take(options: { replace: boolean }): void;
  /** Leaves the file under its temporary name, for good. */
  leave(): void;
}

/**
 * Creates an empty file beside `target`, on the same file system. `suffixes` end the names of files that others put beside the
 * draft, and that are removed with it. Throws the system's error, such as `ENOENT` where there is no folder.
 */
export const createDraft = (target: string, suffixes: readonly string[] = []): Draft => {
  const path = `${target}.${randomBytes(16).toString('hex')}.new`;
  closeSync(openSync(path, 'wx', 0o600));
  watch();
  const leave = (): void => {
    if (drafts.delete(remove) && drafts.size === 0) setImmediate(unwatch);
  };
  const remove = (): void => {
    if (!drafts.has(remove)) return;
    leave();
    for (const suffix of ['', ...suffixes]) removeIfThere(path + suffix);
  };
  drafts.add(remove);
  return {
    path,
    take: ({ replace }) => {
      sync(path);
      if (replace) renameSync(path, target);
      else takeFreeName(path, target);
    },
    leave,
    [Symbol.dispose]: remove,
  };
};

/** Whether the name is taken, be it by a link that leads nowhere. */
export const isTakenName = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined;

/** How to remove each draft of this process. */
const drafts = new Set<() => void>();

export const removeDrafts = (): void => {
  for (const remove of drafts) remove();
};

process.on('exit', removeDrafts);

/** Present while there are drafts. */
let stopListening: (() => void) | undefined;

/** A signal that nobody else handles would end the process with no exit. */
const watch = (): void => {
  stopListening ??= listenTo(handledSignals(), (signal) => {
    if (process.listenerCount(signal) === 1) process.exit(exitCodeOf(signal));
  });
};

/** Only after a turn of the event loop, in which a signal that has come meanwhile is delivered. */
const unwatch = (): void => {
  if (drafts.size > 0) return;
  stopListening?.();
  stopListening = undefined;
};

const sync = (path: string): void => {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
};

/** Unlike a rename, a link fails where there is a file of that name. */
const takeFreeName = (draft: string, path: string): void => {
  try {
    linkSync(draft, path);
    removeIfThere(draft);
  } catch (error) {
    if (isTakenName(path) || !isWithoutLinks(error)) throw error;
    renameSync(draft, path);
  }
};

/** Some file systems have no hard links: FAT, and some that are mounted into containers. */
const isWithoutLinks = (error: unknown): boolean =>
  ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(codeOf(error) ?? '');

/** An error here would hide the first one. */
const removeIfThere = (path: string): void => {
  try {
    rmSync(path, { force: true });
  } catch {}
};

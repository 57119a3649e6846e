import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, runBun } from '../../release/command.ts';

/** Builds the binary at this path, unless it is newer than the sources. One process at a time: the others wait for it. */
export const buildProgram = (path: string): void => {
  mkdirSync(dirname(path), { recursive: true });
  // The system releases the lock when the process ends, for any reason.
  using lock = new Database(`${path}.lock`);
  lock.run('PRAGMA busy_timeout = 120000');
  lock.run('BEGIN EXCLUSIVE');
  if (isNew(path)) return;
  const startedAt = new Date();
  runBun('run', 'build');
  // A source that changed during the build may not be in the binary.
  utimesSync(path, startedAt, startedAt);
};

/** A folder changes when a file is added or removed. */
const isNew = (path: string): boolean => {
  if (!existsSync(path)) return false;
  const { mtimeMs } = statSync(path);
  const sources = ['src', 'db'].flatMap((folder) => [
    folder,
    ...new Bun.Glob(`${folder}/**`).scanSync({ cwd: root, onlyFiles: false }),
  ]);
  return [...sources, 'package.json', 'bun.lock'].every((source) => statSync(join(root, source)).mtimeMs < mtimeMs);
};

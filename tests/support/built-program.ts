import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, runBun } from '../../release/command.ts';

/** The binary of `bun run build`. */
export const builtProgram = join(root, 'dist/plant-store');

/** Builds the binary, unless it is newer than the sources. One process at a time: the others wait for it. */
export const buildProgram = (): void => {
  mkdirSync(dirname(builtProgram), { recursive: true });
  // The system releases the lock when the process ends, for any reason.
  using lock = new Database(`${builtProgram}.lock`);
  lock.run('PRAGMA busy_timeout = 120000');
  lock.run('BEGIN EXCLUSIVE');
  if (isNew()) return;
  const startedAt = new Date();
  runBun('run', 'build');
  // A source that changed during the build may not be in the binary.
  utimesSync(builtProgram, startedAt, startedAt);
};

/** A folder changes when a file is added or removed. */
const isNew = (): boolean => {
  if (!existsSync(builtProgram)) return false;
  const { mtimeMs } = statSync(builtProgram);
  const sources = ['src', 'db'].flatMap((folder) => [
    folder,
    ...new Bun.Glob(`${folder}/**`).scanSync({ cwd: root, onlyFiles: false }),
  ]);
  return [...sources, 'package.json', 'bun.lock'].every((source) => statSync(join(root, source)).mtimeMs < mtimeMs);
};

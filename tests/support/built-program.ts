import { Database } from 'bun:sqlite';
import { existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from '../../package.json';
import { root, runBun } from '../../release/command.ts';

/** The binary of `bun run build`. */
export const builtProgram = join(root, 'dist/plant-store');

/** Builds the binary, unless it is newer than the sources. */
export const buildProgram = (): void => build(builtProgram, () => runBun('run', 'build'));

const unpacked = join(root, 'dist/unpacked');

/** The main file of the npm package. */
export const packedProgram = join(unpacked, 'package/main.js');

/** Makes the tarball of the npm package and unpacks it, unless its program is newer than the sources. */
export const buildPackage = (): void =>
  build(packedProgram, () => {
    rmSync(unpacked, { recursive: true, force: true });
    runBun('run', 'package', unpacked);
    const tarball = join(unpacked, `plant-store-${version}.tgz`);
    const { exitCode, stderr } = Bun.spawnSync(['tar', '-xzf', tarball, '-C', unpacked], { stderr: 'pipe' });
    if (exitCode !== 0) throw new Error(`${stderr}`);
  });

/** One process at a time: the others wait for it. */
const build = (file: string, make: () => void): void => {
  mkdirSync(dirname(builtProgram), { recursive: true });
  // The system releases the lock when the process ends, for any reason.
  using lock = new Database(`${builtProgram}.lock`);
  lock.run('PRAGMA busy_timeout = 120000');
  lock.run('BEGIN EXCLUSIVE');
  if (isNew(file)) return;
  const startedAt = new Date();
  make();
  // A source that changed during the build may not be in the file.
  utimesSync(file, startedAt, startedAt);
};

/** A folder changes when a file is added or removed. */
const isNew = (file: string): boolean => {
  if (!existsSync(file)) return false;
  const { mtimeMs } = statSync(file);
  const sources = ['src', 'db'].flatMap((folder) => [
    folder,
    ...new Bun.Glob(`${folder}/**`).scanSync({ cwd: root, onlyFiles: false }),
  ]);
  return [...sources, 'package.json', 'bun.lock'].every((source) => statSync(join(root, source)).mtimeMs < mtimeMs);
};

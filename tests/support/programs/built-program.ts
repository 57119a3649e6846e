import { Database } from 'bun:sqlite';
import { cpSync, existsSync, mkdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { version } from '../../../package.json';
import { root, runBun } from '../../../release/command.ts';
import { runtimeNames } from './runtimes.ts';

/** The binary of `bun run build`. */
export const builtProgram = join(root, 'dist/plant-store');

/** Builds the binary, unless it is newer than the sources. */
export const buildProgram = (): void => build(builtProgram, sourcesOfProgram, () => runBun('run', 'build'));

const packedFolder = join(root, 'dist/unpacked');

/** The npm package, its files, and the main one of them. */
export const packedTarball = join(packedFolder, `plant-store-${version}.tgz`);
export const unpacked = join(packedFolder, 'package');
export const packedProgram = join(unpacked, 'main.js');
/** The folder that was packed. A release makes that in `dist/` anew. */
export const folderOfPackage = join(packedFolder, 'built');

/** Makes the tarball of the npm package and unpacks it, unless its program is newer than the sources. */
export const buildPackage = (): void =>
  build(packedProgram, sourcesOfPackage, () => {
    rmSync(packedFolder, { recursive: true, force: true });
    runBun('run', 'package', packedFolder);
    cpSync(join(root, 'dist/package'), folderOfPackage, { recursive: true });
    const { exitCode, stderr } = Bun.spawnSync(['tar', '-xzf', packedTarball, '-C', packedFolder], { stderr: 'pipe' });
    if (exitCode !== 0) throw new Error(`${stderr}`);
  });

/** The programs of tests/runtime/ that run on Node. */
const programsOnNode = ['server-program.ts', 'post-program.ts', 'postgres-program.ts'];

/** A program of tests/runtime/ as one file. Node needs a third of a second to load the many files of the source. */
export const bundleForNode = (name: string): string => {
  const bundle = join(root, 'dist/on-node', name.replace(/\.ts$/, '.js'));
  const source = `tests/runtime/${name}`;
  const options = ['--target=node', '--external=pino-pretty', `--outfile=${bundle}`];
  build(bundle, [...sourcesOfProgram, source], () => runBun('build', source, ...options));
  return bundle;
};

const sourcesOfProgram = ['src', 'db', 'package.json', 'bun.lock'];
const sourcesOfPackage = [...sourcesOfProgram, 'release', 'openapi', 'README.md', 'LICENSE'];

/** One process at a time: the others wait for it. */
const build = (file: string, sources: readonly string[], make: () => void): void => {
  mkdirSync(dirname(builtProgram), { recursive: true });
  // The system releases the lock when the process ends, for any reason.
  using lock = new Database(`${builtProgram}.lock`);
  lock.run('PRAGMA busy_timeout = 120000');
  lock.run('BEGIN EXCLUSIVE');
  if (isNewer(file, sources)) return;
  const startedAt = new Date();
  make();
  // A source that changed during the build may not be in the file.
  utimesSync(file, startedAt, startedAt);
};

/** Builds it in another process, while this one does something else. */
export const buildProgramAside = async (): Promise<void> => {
  const { exited } = Bun.spawn([process.execPath, import.meta.path], { stdout: 'ignore', stderr: 'inherit' });
  if ((await exited) !== 0) process.exit(1);
};

/** A folder changes when a file is added or removed. */
const isNewer = (file: string, sources: readonly string[]): boolean => {
  if (!existsSync(file)) return false;
  const { mtimeMs } = statSync(file);
  const all = sources.flatMap((source) => [
    source,
    ...new Bun.Glob(`${source}/**`).scanSync({ cwd: root, onlyFiles: false }),
  ]);
  return all.every((source) => statSync(join(root, source)).mtimeMs < mtimeMs);
};

if (import.meta.main) {
  buildProgram();
  if (runtimeNames.includes('node')) for (const name of programsOnNode) bundleForNode(name);
}

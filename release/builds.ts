/** The binaries, one for each system. Bun compiles all of them on any system. It downloads the Bun binaries for the other systems once. */
import { join } from 'node:path';
import { root, runBun } from './command.ts';

export const targets = ['linux-x64', 'linux-arm64', 'darwin-arm64', 'windows-x64'] as const;

export type Target = (typeof targets)[number];

export interface Build {
  readonly target: Target;
  readonly binary: string;
}

/** The metafile of the bundle in the format of esbuild (https://esbuild.github.io/api/#metafile). It is the same for all binaries. */
export const metafile = join(root, 'dist/builds/metafile.json');

/** Compiles the binary. All binaries have the same file name, since Bun writes that name into them. */
export const compile = (target: Target): Build => {
  const folder = join(root, 'dist/builds', target);
  const binary = join(folder, isForWindows(target) ? 'plant-store.exe' : 'plant-store');
  runBun('run', 'build', `--target=bun-${target}`, `--metafile=${metafile}`, '--outfile', binary);
  return { target, binary };
};

export const isForWindows = (target: Target): boolean => target.startsWith('windows');

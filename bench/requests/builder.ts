/** The peers that are built from source: programs in Rust and Go, and the versions of their parts. */
import { readFileSync } from 'node:fs';
import { here } from '../support/servers.ts';

export interface Builder {
  /** The path of the program. It exists after the build. */
  readonly program: string;
  /** The version of the compiler, or `missing` if it is not installed. */
  readonly compilerVersion: string;
  /** Whether the compiler is installed in a version that is new enough, and a C compiler for SQLite. */
  isInstalled(): boolean;
  build(): Promise<void>;
  /** The version of a package that the folder pins. */
  versionOf(name: string): string;
}

/** The program `name` of a folder with a Cargo.lock. Its crates need at least this version of Rust. */
export const cargo = (folder: string, name: string): Builder => ({
  program: here(`${folder}/target/release/${name}`),
  ...compiler(['cargo', '--version'], '1.89.0'),
  build: () => build(folder, ['cargo', 'build', '--release', '--locked', '--quiet']),
  versionOf: (crate) => find(`${folder}/Cargo.lock`, new RegExp(`^name = "${crate}"\nversion = "(.+)"$`, 'm')),
});

/** The program of a folder with a go.mod, or this package, which it pins. */
export const go = (folder: string, packagePath = '.'): Builder => ({
  program: here(`${folder}/target/server`),
  ...compiler(['go', 'version'], '1.26.0'),
  build: () => build(folder, ['go', 'build', '-o', 'target/server', packagePath]),
  versionOf: (module) => find(`${folder}/go.mod`, new RegExp(`\\b${module} v(\\S+)`)),
});

const compiler = ([command = '', ...args]: readonly string[], versionMin: string) => {
  const text = Bun.which(command) === null ? '' : `${Bun.spawnSync([command, ...args]).stdout}`;
  const version = /\d+\.\d+\.\d+/.exec(text)?.[0];
  const isNewEnough = version !== undefined && Bun.semver.order(version, versionMin) >= 0;
  return { compilerVersion: version ?? 'missing', isInstalled: () => isNewEnough && Bun.which('cc') !== null };
};

const build = async (folder: string, command: readonly string[]): Promise<void> => {
  console.error(`building ${folder}`);
  const child = Bun.spawn([...command], { cwd: here(folder), stdout: 'inherit', stderr: 'inherit' });
  if ((await child.exited) !== 0) throw new Error(`${folder} cannot be built`);
};

const find = (path: string, form: RegExp): string => {
  const [, version] = form.exec(readFileSync(here(path), 'utf8')) ?? [];
  if (version === undefined) throw new Error(`${path} does not have ${form}`);
  return version;
};

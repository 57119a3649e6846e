/** The tools of each language in which this folder runs programs: whether this machine has them, and how a program is checked and built. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** A program that `bun run python` installs. */
export const python = (program: string): string => join(import.meta.dir, '.venv/bin', program);

/** The output of a command that asks for a version. Absent if the program is missing, or is a shim for a missing one. */
const versionOf = (program: string, ...rest: string[]): string | undefined => {
  if (Bun.which(program) === null) return undefined;
  const { success, stdout } = Bun.spawnSync([program, ...rest]);
  return success ? stdout.toString().trim() : undefined;
};

export const isInstalled = {
  // Node.js runs TypeScript from 22.18 on.
  node: (): boolean => Bun.semver.satisfies(versionOf('node', '--version') ?? '', '>=22.18'),
  python: (): boolean => existsSync(python('ruff')),
  go: (): boolean => versionOf('go', 'version') !== undefined,
  // rustup installs clippy with cargo. Debian's cargo comes without it, and is too old for the dependencies.
  rust: (): boolean => versionOf('cargo', 'clippy', '--version') !== undefined,
};

type Command = readonly string[];

/** A successful command prints only its progress, on stderr. */
export const checks = {
  python: [
    [python('ruff'), 'check', '--quiet'],
    [python('ruff'), 'format', '--quiet', '--check'],
  ],
  go: [
    ['sh', '-c', 'test -z "$(gofmt -l .)"'],
    ['go', 'vet'],
  ],
  rust: [['cargo', 'fmt', '--check']],
} satisfies Record<string, readonly Command[]>;

/** Runs a command and waits for its exit. */
export const run = async (command: Command, cwd: string, env: Readonly<Record<string, string>> = {}) => {
  const child = Bun.spawn([...command], {
    cwd,
    env: { ...process.env, ...env },
    stdout: 'pipe',
    stderr: 'pipe',
  });
  const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { exitCode, stdout, stderr };
};

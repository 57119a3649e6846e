import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../folder.ts';

const root = join(import.meta.dir, '../../..');

/** Runs a command, and returns what it prints. Throws with that if it does not end with this status. */
type Run = (command: readonly string[], exitCode?: number, env?: Readonly<Record<string, string>>) => Promise<string>;

/** Arguments of `bun test`: for most runs, and with TEST_COPIES=whole. */
interface Tests {
  readonly few: readonly string[];
  readonly whole: readonly string[];
}

/** A copy of this checkout, with its packages, to change and to run commands in. */
export const createCopy = () => {
  const folder = temporaryFolder();
  copyCheckout(folder.path);
  symlinkSync(join(root, 'node_modules'), folder.file('node_modules'));
  // Some tests ask Git for the files.
  Bun.spawnSync(['git', 'init', '--quiet'], { cwd: folder.path });
  const run: Run = async (command, exitCode = 0, env = {}) => {
    const options = { cwd: folder.path, env: { ...process.env, ...env }, stdout: 'pipe', stderr: 'pipe' } as const;
    const child = Bun.spawn([...command], options);
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    const status = await child.exited;
    if (status !== exitCode) throw new Error(`${command.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
    return stdout + stderr;
  };
  const bun = (...args: string[]): Promise<string> => run([process.execPath, ...args]);
  /** Checks all types. One checker, which does not free memory, takes half the CPU of the default, as beside other tests nothing is idle. */
  const compile = (): Promise<string> =>
    run([process.execPath, 'node_modules/typescript/bin/tsc', '--checkers', '1'], 0, { GOGC: 'off' });
  /** Throws unless a hundred tests pass and none fails. Only of the whole some may be skipped. */
  const runTests = async ({ few, whole }: Tests): Promise<void> => {
    const isWhole = process.env['TEST_COPIES'] === 'whole';
    const output = await bun('test', '--no-isolate', ...(isWhole ? whole : few));
    const isRight = isWhole ? /^ \d{3,} pass\n(?: \d+ skip\n)? 0 fail$/m : /^ \d{3,} pass\n 0 fail$/m;
    if (!isRight.test(output)) throw new Error(output);
  };
  return { ...folder, run, bun, compile, runTests };
};

/** Copies this checkout to a folder as a fresh clone has it: with changes that are not committed yet, and without ignored files. */
export const copyCheckout = (to: string): void => {
  const command = ['git', 'ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: root });
  if (exitCode !== 0) throw new Error(stderr.toString());
  for (const file of stdout.toString().split('\0')) {
    if (file === '' || !existsSync(join(root, file))) continue;
    mkdirSync(dirname(join(to, file)), { recursive: true });
    cpSync(join(root, file), join(to, file));
  }
};

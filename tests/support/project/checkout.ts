import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { temporaryFolder } from '../folder.ts';

const root = join(import.meta.dir, '../../..');

/** Runs a command, and returns what it prints. Throws with that if it does not end with this status. */
type Run = (command: readonly string[], exitCode?: number) => Promise<string>;

/** A copy of this checkout, with its packages, to change and to run commands in. */
export const createCopy = () => {
  const folder = temporaryFolder();
  copyCheckout(folder.path);
  symlinkSync(join(root, 'node_modules'), folder.file('node_modules'));
  // Some tests ask Git for the files.
  Bun.spawnSync(['git', 'init', '--quiet'], { cwd: folder.path });
  const run: Run = async (command, exitCode = 0) => {
    const child = Bun.spawn([...command], { cwd: folder.path, stdout: 'pipe', stderr: 'pipe' });
    const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
    const status = await child.exited;
    if (status !== exitCode) throw new Error(`${command.join(' ')} ended with ${status}:\n${stdout}${stderr}`);
    return stdout + stderr;
  };
  return { ...folder, run, bun: (...args: string[]) => run([process.execPath, ...args]) };
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

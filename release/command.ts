import { join } from 'node:path';

/** The folder of the repository. */
export const root = join(import.meta.dir, '..');

/** Runs Bun in the folder of the repository. Throws an error with its stderr if it fails. */
export const runBun = (...args: readonly string[]): void => runBunIn(root, ...args);

export const runBunIn = (cwd: string, ...args: readonly string[]): void => {
  const command = [process.execPath, ...args];
  const { exitCode, stderr } = Bun.spawnSync(command, { cwd, stdout: 'ignore', stderr: 'pipe' });
  if (exitCode !== 0) throw new Error(`bun ${args.join(' ')} failed.\n${stderr}`);
};

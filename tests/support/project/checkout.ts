import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dir, '../../..');

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

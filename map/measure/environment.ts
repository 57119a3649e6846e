/** What a measurement depends on beside the tools. */
import { arch, platform } from 'node:os';
import { join } from 'node:path';

export const environment = `${platform()} ${arch()}, Bun ${Bun.version}`;

export const headCommit = (): string => {
  const { stdout } = Bun.spawnSync(['git', 'rev-parse', '--short', 'HEAD'], { cwd: join(import.meta.dir, '..') });
  return stdout.toString().trim();
};

/**
 * `bun run setup`: installs the packages of the repository, and of the folders that are given. It prints a line when there are none
 * yet, since that takes a while, and what Bun prints only if it fails: with `--silent`, Bun would not print the reason. No package may
 * be imported here.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

for (const folder of ['.', ...process.argv.slice(2)]) {
  const cwd = join(import.meta.dir, folder);
  if (!existsSync(join(cwd, 'node_modules'))) console.error(`Installing packages in ${cwd} …`);
  const command = [process.execPath, 'install', '--frozen-lockfile'];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd, stdout: 'pipe', stderr: 'pipe' });
  if (exitCode === 0) continue;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(exitCode);
}

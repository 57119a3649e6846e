/**
 * `bun setup.ts [FOLDER]…`: installs the packages of the repository, and of the folders that are given. With `--production` it installs only those
 * that the program imports; it never removes the others, and a later setup adds them. It prints a line when there are no packages yet, or
 * after a second, and what Bun prints only if it fails: with `--silent`, Bun would not print the reason. No package may be imported here.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const attemptsMax = 5;
const given = process.argv.slice(2);
// The peers that the program needs are dependencies of its own. The others are compilers and types.
const options = given.includes('--production') ? ['--production', '--omit=peer'] : [];

for (const folder of ['.', ...given.filter((argument) => argument !== '--production')]) {
  const cwd = join(import.meta.dir, folder);
  const announce = () => console.error(`Installing packages in ${cwd} …`);
  const isFirst = !existsSync(join(cwd, 'node_modules'));
  if (isFirst) announce();
  const timer = isFirst ? undefined : setTimeout(announce, 1000);
  const command = [process.execPath, 'install', '--frozen-lockfile', ...options];
  for (let attempts = 1; ; attempts += 1) {
    const child = Bun.spawn(command, { cwd, stdin: 'ignore', stdout: 'pipe', stderr: 'pipe' });
    const [stdout, stderr, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (exitCode === 0) break;
    // Bun links the programs of all packages anew, and fails if another installation does so at the same time.
    if (stderr.includes('EEXIST') && attempts < attemptsMax) continue;
    process.stderr.write(`${stdout}${stderr}`);
    process.exit(exitCode);
  }
  clearTimeout(timer);
}

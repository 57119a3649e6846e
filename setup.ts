/**
 * `bun run setup`: installs the packages of the repository, and of the folders that are given. It prints nothing, unless it fails: with
 * `--silent`, Bun would not print the reason either. No package may be imported here.
 */
for (const folder of ['.', ...process.argv.slice(2)]) {
  const command = [process.execPath, 'install', '--frozen-lockfile', '--cwd', folder];
  const { exitCode, stdout, stderr } = Bun.spawnSync(command, { cwd: import.meta.dir, stdout: 'pipe', stderr: 'pipe' });
  if (exitCode === 0) continue;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(exitCode);
}

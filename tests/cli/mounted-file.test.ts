/** A database whose file is mounted, as into a container, with its folder and without it. */
import { expect, test } from 'bun:test';
import { runProgram, underTest } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';

/** In a mount namespace of its own, with the options of the mount as $0. */
const mounting = (script: string) => ['unshare', '--mount', 'sh', '-ec', `${script}; exec "$@"`, 'sh', ...underTest];

const canMount = Bun.spawnSync(['unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).success;

test.skipIf(!canMount)('a command that writes refuses a database that is mounted without its folder', async () => {
  using work = createWorkplace();
  await work.fill(3);
  await work.run('backup', 'backup.sqlite');
  work.write('in a container.sqlite', '');
  const target = work.file('in a container.sqlite');
  const program = mounting(`mount --bind '${work.database}' '${target}'`);
  const run = (...args: string[]) => runProgram([...args, '--database', target], { program, cwd: work.path });
  for (const args of [
    ['serve', '--port', '0'],
    ['migrate'],
    ['token', 'create', '--name', 'a'],
    ['restore', 'backup.sqlite'],
  ])
    expect(await run(...args)).toMatchObject({
      exitCode: 1,
      stderr: `plant-store: Database ${target} is mounted without its folder, where its log is. Mount the folder. It was not changed.\n`,
    });
  expect(await run('export', '-')).toMatchObject({ exitCode: 0 });
});

test.skipIf(!canMount)('a database that is mounted with its folder is used', async () => {
  using work = createWorkplace();
  await work.fill(3);
  const program = mounting(`mkdir b; mount --bind '${work.path}' b`);
  const args = ['token', 'create', '--name', 'a', '--database', 'b/p.sqlite'];
  expect(await runProgram(args, { program, cwd: work.path })).toMatchObject({ exitCode: 0 });
});

/** A database on a medium that nothing can write: a disk that is mounted read-only, for root too, and files without the right to write. */
import { expect, test } from 'bun:test';
import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs';
import { runProgram, underTest } from '../support/programs/process.ts';
import { createWorkplace } from '../support/programs/workplace.ts';

const isRoot = process.getuid?.() === 0;
const canMount = Bun.spawnSync(['unshare', '--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/tmp']).success;

/** How a command runs: on the folder that is mounted read-only, or as a user who may not write it. */
const mounted = (folder: string) => [
  'unshare',
  '--mount',
  'sh',
  '-ec',
  `mount --bind -o ro '${folder}' '${folder}'; exec "$@"`,
  'sh',
];
const asNobody = (folder: string) => {
  chmodSync(folder, 0o555);
  return isRoot ? ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', '--'] : [];
};

const createMedium = async () => {
  const work = createWorkplace();
  await work.fill(3);
  await work.run('token', 'create', '--name', 'a');
  await work.run('webhook', 'add', 'https://example.com/');
  await work.run('backup', 'backup.sqlite');
  mkdirSync(work.file('medium'));
  // A file in WAL mode, as a service that has stopped leaves it, and a backup, which is not.
  for (const name of ['p.sqlite', 'backup.sqlite']) {
    copyFileSync(work.file(name), work.file(`medium/${name}`));
    chmodSync(work.file(`medium/${name}`), 0o444);
  }
  chmodSync(work.path, 0o777);
  return work;
};

test.each([
  ['p.sqlite', 'mounted read-only', mounted, canMount],
  ['backup.sqlite', 'mounted read-only', mounted, canMount],
  ['p.sqlite', 'without the right to write', asNobody, true],
  ['backup.sqlite', 'without the right to write', asNobody, true],
] as const)('every command that reads succeeds on %s %s', async (name, _, prefix, isPossible) => {
  if (!isPossible) return;
  using work = await createMedium();
  const database = work.file(`medium/${name}`);
  const program = [...prefix(work.file('medium')), ...underTest];
  const run = (...args: string[]) => runProgram(args, { program, cwd: work.path });
  const on = ['--database', database];
  for (const [args, lines] of [
    [['export', '-', ...on], 3],
    [['plants', ...on], 3],
    [['token', 'list', ...on], 1],
    [['webhook', 'list', ...on], 1],
    [['webhook', 'deliveries', ...on], 0],
    [['backup', 'copy.sqlite', ...on], 0],
    [['copy', database, 'target.sqlite'], 0],
    [['restore', database, '--database', 'restored.sqlite'], 0],
  ] as const) {
    const { exitCode, stdout, stderr } = await run(...args);
    expect([args[0], exitCode, stdout.split('\n').length - 1, stderr]).toEqual([args[0], 0, lines, expect.any(String)]);
  }
  for (const copy of ['copy.sqlite', 'target.sqlite', 'restored.sqlite'])
    expect(existsSync(work.file(copy))).toBe(true);
  expect((await run('token', 'create', '--name', 'b', ...on)).stderr).toContain('cannot be opened');
  chmodSync(work.file('medium'), 0o755);
});

/**
 * Compares the CPU time of a request with that of the last entry of `history.json`, by a reference commit that is measured in turns with
 * this checkout. Exits with 1 if a row costs over 4 % more. With `--record`, it adds an entry instead. Needs wrk, and the history of git.
 *
 *     bun run bench guard [--seconds 2] [--rounds 5] [--only create@128]… [--record 'release 0.4.0']
 */
import { join } from 'node:path';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { writeJson } from '../requests/results.ts';
import { printTable } from '../support/measure.ts';
import { what } from '../support/options.ts';
import { compareWith } from '../versions/compare.ts';
import { findLosses, type History, type Ratios, toRatios } from './guard.ts';

const root = join(import.meta.dir, '../..');
const path = join(import.meta.dir, '../history.json');

const run = (folder: string, ...command: string[]): string => {
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd: folder });
  if (!success) throw new Error(`${command.join(' ')} has failed: ${stderr}`);
  return stdout.toString().trim();
};

/** Measures the checkout beside a new one of this commit, which is removed at the end. */
const measureBeside = async (commit: string): Promise<Ratios> => {
  using folder = temporaryFolder();
  const reference = folder.file('reference');
  run(root, 'git', 'worktree', 'add', '--detach', reference, commit);
  try {
    run(reference, process.execPath, 'install', '--frozen-lockfile');
    return toRatios(await compareWith(reference));
  } finally {
    run(root, 'git', 'worktree', 'remove', '--force', reference);
  }
};

const history: History = await Bun.file(path).json();
const { reference, entries } = history;
const last = entries.at(-1);
if (!last && what === '') throw new Error('history.json has no entry. Record one on a quiet machine, with --record.');
const ratios = await measureBeside(reference);
printTable(
  ['CPU of a request, ×reference', 'the last entry', 'this checkout'],
  Object.entries(ratios).flatMap(([engine, rows]) =>
    Object.entries(rows).map(([work, ratio]) => [
      `${work}, ${engine}`,
      `${last?.ratios[engine]?.[work] ?? ''}`,
      `${ratio}`,
    ]),
  ),
);
if (what !== '') {
  const entry = {
    commit: run(root, 'git', 'rev-parse', 'HEAD'),
    date: new Date().toISOString().slice(0, 10),
    what,
    ratios,
  };
  await writeJson(path, { ...history, entries: [...entries, entry] });
} else if (last) {
  const losses = findLosses(ratios, last);
  for (const loss of losses) console.error(loss);
  if (losses.length > 0) process.exitCode = 1;
}

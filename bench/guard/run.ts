/**
 * Compares the CPU time of a request with that of the last entry of `history.json`, by a reference commit that is measured in turns with
 * this checkout. A row that costs over 4 % more is measured again, with new processes and three times the rounds: one process can keep a
 * disadvantage of several per cent. Exits with 1 if it costs as much more then. With `--record`, it adds an entry instead. Needs wrk, and the
 * history of git.
 *
 *     bun run bench guard [--seconds 2] [--rounds 5] [--only create@128]… [--record 'release 0.4.0']
 */
import { join } from 'node:path';
import { temporaryFolder } from '../../tests/support/folder.ts';
import { writeJson } from '../requests/results.ts';
import { printTable } from '../support/measure.ts';
import { rounds, what } from '../support/options.ts';
import { compareWith } from '../versions/compare.ts';
import { confirmLosses, type Entry, findLosses, type History, type Ratios, toRatios } from './guard.ts';

const root = join(import.meta.dir, '../..');
const path = join(import.meta.dir, '../history.json');

const run = (folder: string, ...command: string[]): string => {
  const { success, stdout, stderr } = Bun.spawnSync(command, { cwd: folder });
  if (!success) throw new Error(`${command.join(' ')} has failed: ${stderr}`);
  return stdout.toString().trim();
};

/** Measures this checkout beside the reference: all loads, or once more those with these names. */
type Measure = (again?: readonly string[]) => Promise<Ratios>;

/** Calls `use` with a new checkout of this commit, which is removed at the end. */
const besideReference = async (commit: string, use: (measure: Measure) => Promise<void>): Promise<void> => {
  using folder = temporaryFolder();
  const reference = folder.file('reference');
  run(root, 'git', 'worktree', 'add', '--detach', reference, commit);
  try {
    run(reference, process.execPath, 'install', '--frozen-lockfile');
    await use(async (again) => toRatios(await compareWith(reference, again && { only: again, rounds: 3 * rounds })));
  } finally {
    run(root, 'git', 'worktree', 'remove', '--force', reference);
  }
};

const history: History = await Bun.file(path).json();
const { reference, entries } = history;
const last = entries.at(-1);
if (!last && what === '') throw new Error('history.json has no entry. Record one on a quiet machine, with --record.');

const print = (ratios: Ratios): void =>
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

await besideReference(reference, async (measure) => {
  const ratios = await measure();
  print(ratios);
  if (what !== '') {
    const commit = run(root, 'git', 'rev-parse', 'HEAD');
    const entry: Entry = { commit, date: new Date().toISOString().slice(0, 10), what, ratios };
    await writeJson(path, { ...history, entries: [...entries, entry] });
    return;
  }
  if (!last) return;
  const found = findLosses(ratios, last);
  if (found.length === 0) return;
  const again = await measure([...new Set(found.map(({ work }) => work))]);
  print(again);
  for (const { message } of confirmLosses(found, again, last)) {
    console.error(message);
    process.exitCode = 1;
  }
});

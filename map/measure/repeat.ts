/** To repeat a verdict that is not right: its folders are written, and what they say is run. */
import { join } from 'node:path';
import type { Adapter } from './adapter.ts';
import type { Case } from './case.ts';
import { hasLine, keep } from './keep.ts';
import { type Answers, checksOf, readResults } from './results.ts';
import { verdictOf } from './verdict.ts';
import { forVersionsOf } from './version.ts';

export interface Pair {
  readonly adapter: Adapter;
  readonly feature: Case;
}

const verdictOn = (answers: Answers | undefined) => answers && verdictOf(checksOf(answers));

const root = join(import.meta.dir, '../../reports/kept');

/** The verdicts that are not right, of the committed results. */
export const pairsToRepeat = (adapters: readonly Adapter[], cases: readonly Case[]): Pair[] =>
  adapters.flatMap((adapter) => {
    const answers = readResults(adapter)?.answers ?? {};
    return cases.flatMap((feature) => {
      const computed = verdictOn(answers[feature.id]);
      const isRight = computed === undefined || computed.verdict === 'right';
      return isRight ? [] : [{ adapter, feature: forVersionsOf(feature, answers) }];
    });
  });

/** From everywhere in the list, and each day others, until all were chosen. */
export const sampleOf = <T>(all: readonly T[], size: number, day = Math.floor(Date.now() / 86_400_000)): T[] => {
  const count = Math.min(size, all.length);
  const places = Array.from({ length: count }, (_, n) => (Math.floor((n * all.length) / count) + day) % all.length);
  return all.filter((_, index) => places.includes(index));
};

/** Resolves to what the output lacks, or to `undefined` if the verdict is repeated. */
export const repeat = async ({ adapter, feature }: Pair): Promise<string | undefined> => {
  const deciding = verdictOn(readResults(adapter)?.answers[feature.id])?.deciding;
  if (deciding === undefined) return 'there is no such verdict';
  const kept = await keep(adapter, feature, { version: adapter.version, root: join(root, adapter.id, feature.id) });
  const folder = kept.find(({ results }) =>
    results.some(({ check, grade }) => check === deciding.check && grade === deciding.grade),
  )?.folder;
  if (folder === undefined) return `no answer is that to "${deciding.check}"`;
  const { stdout, stderr } = Bun.spawnSync(['sh', join(folder, 'repeat.sh')], { timeout: 300_000 });
  // Evidence does not say where it was made.
  const output = Bun.stripANSI(`${stdout}${stderr}`).replaceAll(`${folder}/`, '');
  const wanted = deciding.line ?? deciding.observed;
  return hasLine(output, wanted) ? undefined : `no "${wanted}" in ${folder}: ${output.slice(-400)}`;
};

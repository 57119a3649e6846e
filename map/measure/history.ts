/** What changed from one version of a tool to the next. The results of an earlier version stay in `results/history/`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from './results.ts';
import type { Verdict } from './verdict.ts';

export interface Change {
  readonly feature: string;
  readonly from: Verdict;
  readonly to: Verdict;
}

/** The feature is right since the version. */
export const isRepaired = ({ to }: Change): boolean => to === 'right';

export interface Step {
  readonly from: string;
  readonly to: string;
  /** Of the features that both versions were asked for. */
  readonly changes: readonly Change[];
  readonly asked: number;
}

export const historyFolder = join(import.meta.dir, '../results/history');

/** The results of earlier versions, the newest first. */
export const readHistory = (tool: string): Results[] => {
  const names = (existsSync(historyFolder) ? readdirSync(historyFolder) : []).filter(
    (name) => name.startsWith(`${tool}@`) && name.endsWith('.json'),
  );
  const all: Results[] = names.map((name) => JSON.parse(readFileSync(join(historyFolder, name), 'utf8')));
  return all.sort((a, b) => Bun.semver.order(b.version, a.version));
};

interface Measured {
  readonly version: string;
  readonly verdicts: readonly { readonly feature: string; readonly verdict: Verdict }[];
}

/** From each version to the next, the last step first. */
export const stepsOf = (versions: readonly Measured[]): Step[] =>
  versions.slice(0, -1).flatMap((to, index) => {
    const from = versions[index + 1];
    if (from === undefined) return [];
    const pairs = to.verdicts.flatMap((is) => {
      const was = from.verdicts.find(({ feature }) => feature === is.feature);
      return was === undefined ? [] : [[was, is] as const];
    });
    const changes = pairs
      .filter(([was, is]) => was.verdict !== is.verdict)
      .map(([was, is]) => ({ feature: is.feature, from: was.verdict, to: is.verdict }));
    return [{ from: from.version, to: to.version, changes, asked: pairs.length }];
  });

/** What differs between two measurements: the verdicts, and the checks behind them. */

import type { CheckResult } from './check.ts';
import type { ToolData, VerdictData } from './data.ts';

export type Measured = Pick<ToolData, 'id' | 'version' | 'verdicts'>;

/** A line for each verdict that differs, and below it for each check. Verdicts of other features or tools are not compared. */
export const differencesBetween = (
  before: readonly Measured[],
  after: readonly Measured[],
  isCompared: (feature: string) => boolean = () => true,
): string[] =>
  after.flatMap(({ id, verdicts }) => {
    const old = before.find((tool) => tool.id === id)?.verdicts ?? [];
    const features = new Set([...old, ...verdicts].map(({ feature }) => feature).filter(isCompared));
    return [...features].sort().flatMap((feature) => {
      const [was, is] = [old, verdicts].map((all) => all.find((one) => one.feature === feature));
      const lines = checkDifferences(was, is);
      if (was?.verdict === is?.verdict && lines.length === 0) return [];
      return [`${id}, ${feature}: ${wordOf(was)} → ${wordOf(is)}`, ...lines.map((line) => `  ${line}`)];
    });
  });

const wordOf = (verdict: VerdictData | undefined): string => verdict?.verdict ?? 'no verdict';

/** The checks of both that have another grade. */
const checkDifferences = (was: VerdictData | undefined, is: VerdictData | undefined): string[] => {
  const old = new Map(keyed(was?.checks ?? []));
  return keyed(is?.checks ?? []).flatMap(([key, { check, grade, observed }]) => {
    const before = old.get(key);
    return before === undefined || before.grade === grade
      ? []
      : [`${check}: ${before.grade} (${before.observed}) → ${grade} (${observed})`];
  });
};

/** A check may have two results, such as a request and the value of its response. */
const keyed = (checks: readonly CheckResult[]): [string, CheckResult][] =>
  checks.map((one, index) => {
    const earlier = checks.slice(0, index).filter(({ check }) => check === one.check).length;
    return [`${one.check} ${earlier}`, one];
  });

/** Where and when a report was made. */
export const headOf = ({ date, commit, environment }: Record<'date' | 'commit' | 'environment', string>): string =>
  `${date}, commit ${commit}, ${environment}`;

/** The verdict on a tool and a feature, computed from the results of its checks. */
import type { CheckResult } from './check.ts';

export type Verdict = 'right' | 'wrong' | 'ignored' | 'partly';

export interface Computed {
  readonly verdict: Verdict;
  /** The check that decides. */
  readonly deciding: CheckResult;
}

/** Undefined if nothing that was asked tells whether the tool reads the feature. */
export const verdictOf = (checks: readonly CheckResult[]): Computed | undefined => {
  const failedBasic = checks.find(({ isBasic, grade }) => isBasic && grade !== 'right');
  if (failedBasic) return { verdict: 'wrong', deciding: failedBasic };
  const ofFeature = checks.filter(({ isBasic }) => !isBasic);
  const [right, wrong, ignored] = (['right', 'wrong', 'ignored'] as const).map((wanted) =>
    ofFeature.find(({ grade }) => grade === wanted),
  );
  const failed = wrong ?? ignored;
  if (failed === undefined) return right && { verdict: 'right', deciding: right };
  return { verdict: right ? 'partly' : wrong ? 'wrong' : 'ignored', deciding: failed };
};

/** A sentence for readers. Backticks enclose code. */
export const sentenceOf = ({ verdict, deciding }: Computed, checks: readonly CheckResult[]): string => {
  if (verdict !== 'right') {
    const { check, observed, expected } = deciding;
    return `${capitalized(check)}: ${answer(observed)}${reasonOf(deciding)}; expected: ${answer(expected)}.`;
  }
  const sentences = checks
    .filter(({ isBasic }) => !isBasic)
    .map(({ check, observed }) => `${check}: ${answer(observed)}`);
  return `${capitalized([...new Set(sentences)].join('; '))}.`;
};

/** What the tool says, where it says no. Other lines of output explain nothing. */
const reasonOf = ({ observed, line = '' }: CheckResult): string => {
  const reason = line.replaceAll('`', "'").replaceAll(/\s+/g, ' ').trim();
  if (!['refused', 'an error', 'fails'].includes(observed) || !/\p{L}/u.test(reason)) return '';
  return ` (\`${reason.length <= reasonMax ? reason : `${reason.slice(0, reasonMax - 1)}…`}\`)`;
};

const reasonMax = 120;

/** An answer in words as it is, and any other as code. */
const answer = (text: string): string => (/^[\p{L}\s-]*$|`/u.test(text) ? text : `\`${text}\``);

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

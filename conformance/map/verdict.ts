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
  const failedBasic = checks.find((one) => one.isBasic && one.grade !== 'right' && !isMissing(one));
  if (failedBasic) return { verdict: 'wrong', deciding: failedBasic };
  const ofFeature = checks.filter(({ isBasic }) => !isBasic);
  const [right, wrong, ignored] = (['right', 'wrong', 'ignored'] as const).map((wanted) =>
    ofFeature.find(({ grade }) => grade === wanted),
  );
  const failed = wrong ?? ignored;
  if (failed === undefined) return right && { verdict: 'right', deciding: right };
  return { verdict: right ? 'partly' : wrong ? 'wrong' : 'ignored', deciding: failed };
};

/** Generated code without a type ignores what the type would describe, and refuses nothing. */
const isMissing = ({ observed }: CheckResult): boolean => observed === 'no such type';

/** A sentence for readers. Backticks enclose code. */
export const sentenceOf = ({ verdict, deciding }: Computed, checks: readonly CheckResult[]): string => {
  if (verdict !== 'right') {
    const why = deciding.expected === 'read' && deciding.line ? ` (${code(shorten(deciding.line))})` : '';
    return `${capitalized(deciding.check)}: ${answer(deciding.observed)}${why}; expected: ${answer(deciding.expected)}.`;
  }
  const sentences = checks
    .filter(({ isBasic }) => !isBasic)
    .map(({ check, observed }) => `${check}: ${answer(observed)}`);
  return `${capitalized([...new Set(sentences)].join('; '))}.`;
};

/** An answer in words as it is, and any other as code. */
const answer = (text: string): string => (/^[\p{L}\s-]*$|`/u.test(text) ? text : code(text));

const code = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

/** Of an error: the rest is in the evidence. */
const lineLengthMax = 100;

const shorten = (line: string): string =>
  line.length <= lineLengthMax ? line : `${line.slice(0, lineLengthMax - 1)}…`;

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

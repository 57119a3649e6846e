/** The verdict on a tool and a feature, computed from the results of its checks. */
import type { CheckResult } from './check.ts';

/** `version`: the tool refuses the version of OpenAPI of the document, so that it cannot be asked for the feature. */
export type Verdict = 'right' | 'wrong' | 'ignored' | 'partly' | 'version';

/** What is wrong: it refuses the valid document, or generates code that does not load, or reads the document and does something else. */
export type Cause = 'refused' | 'does not load' | 'misread';

export interface Computed {
  readonly verdict: Verdict;
  /** The check that decides. */
  readonly deciding: CheckResult;
}

/** Undefined if nothing that was asked tells whether the tool reads the feature. */
export const verdictOf = (all: readonly CheckResult[]): Computed | undefined => {
  const checks = all.filter(({ isUnasked }) => !isUnasked);
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

export const causeOf = ({ check, observed }: CheckResult): Cause => {
  if (check !== 'the document' && !check.startsWith('the document, ')) return 'misread';
  return observed === 'generated, does not load' ? 'does not load' : 'refused';
};

/** Generated code without a type ignores what the type would describe, and refuses nothing. */
const isMissing = ({ observed }: CheckResult): boolean => observed === 'no such type';

/** A sentence for readers. Backticks enclose code. */
export const sentenceOf = ({ verdict, deciding }: Computed, checks: readonly CheckResult[]): string => {
  if (verdict !== 'right') {
    const { check, observed, expected } = deciding;
    return `${capitalized(check)}: ${answer(observed)}${reasonOf(deciding)}; expected: ${answer(expected)}.`;
  }
  const sentences = checks
    .filter(({ isBasic, isUnasked }) => !isBasic && !isUnasked)
    .map(({ check, observed }) => `${check}: ${answer(observed)}`);
  return `${capitalized([...new Set(sentences)].join('; '))}.`;
};

/** Why a tool cannot be asked for a feature. */
export const sentenceOfControl = (name: string, deciding: CheckResult): string => {
  const { check, observed, expected } = deciding;
  const seen = `${check}: ${answer(observed)}${reasonOf(deciding)}; expected: ${answer(expected)}`;
  return `It cannot be asked. With ${name} instead of the feature, ${seen}.`;
};

/** The line of output that decides, where the answer is one in words. Without a letter it explains nothing. */
const reasonOf = ({ observed, line = '' }: CheckResult): string => {
  const reason = onOneLine(line).replaceAll('`', "'");
  if (!isInWords(observed) || !/\p{L}/u.test(reason)) return '';
  return ` (\`${reason.length <= reasonLengthMax ? reason : `${reason.slice(0, reasonLengthMax - 1)}…`}\`)`;
};

const reasonLengthMax = 120;

/** An answer in words as it is, and any other as code. */
const answer = (text: string): string => (isInWords(text) || text.includes('`') ? text : `\`${onOneLine(text)}\``);

const onOneLine = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

export const isInWords = (text: string): boolean => /^[\p{L}\s-]*$/u.test(text);

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

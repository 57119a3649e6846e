/** To show a text of the document to a reader. */
import { type Check, type CheckResult, resultOf } from '../check.ts';
import type { Session } from '../session.ts';

export interface ShowCheck extends Check {
  /** It is nowhere else in the document. */
  readonly text: string;
  /** The check is asked only where this text is found. */
  readonly onlyIf?: string;
  /** A page may write it in capitals, and code as a part of another word. */
  readonly isInAnyCase?: boolean;
}

/** All visible text of the page, with everything open that a reader can open, and the targets of its links. */
export type Show = (session: Session) => Promise<string>;

export const askShow = async (session: Session, show: Show, checks: readonly ShowCheck[]): Promise<CheckResult[]> =>
  findTexts(session, await show(session), checks, 'shown');

export const findTexts = (
  session: Session,
  page: string,
  checks: readonly ShowCheck[],
  word: string,
): CheckResult[] => {
  const plain = page.replaceAll(/\s+/g, ' ');
  const small = plain.toLowerCase();
  return checks.flatMap((check) => {
    if (check.onlyIf !== undefined && !plain.includes(check.onlyIf)) return [];
    const isFound = check.isInAnyCase ? small.includes(check.text) : plain.includes(check.text);
    const observed = isFound ? word : `not ${word}`;
    const grade = isFound ? ('right' as const) : check.isBasic ? ('wrong' as const) : ('ignored' as const);
    return resultOf(session, check, { input: check.text, expected: word, observed, grade });
  });
};

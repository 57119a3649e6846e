/** To show a text of the document to a reader. */
import { type Check, type CheckResult, resultOf } from '../check.ts';
import type { Session } from '../session.ts';

export interface ShowCheck extends Check {
  /** It is nowhere else in the document. */
  readonly text: string;
  /** The check is asked only where this text is found. */
  readonly onlyIf?: string;
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
  return checks.flatMap((check) => {
    if (check.onlyIf !== undefined && !plain.includes(check.onlyIf)) return [];
    const isFound = plain.includes(check.text);
    const observed = isFound ? word : `not ${word}`;
    const grade = isFound ? ('right' as const) : check.isBasic ? ('wrong' as const) : ('ignored' as const);
    return resultOf(session, check, { input: check.text, expected: word, observed, grade });
  });
};

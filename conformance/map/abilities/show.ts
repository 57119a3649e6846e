/** To show a text of the document to a reader. */
import { type Check, resultOf } from '../check.ts';
import type { CheckResult } from '../data.ts';
import type { Session } from '../session.ts';

export interface ShowCheck extends Check {
  /** It is nowhere else in the document. */
  readonly text: string;
}

/** All visible text of the page, with everything open that a reader can open. */
export type Show = (session: Session) => Promise<string>;

export const askShow = async (session: Session, show: Show, checks: readonly ShowCheck[]): Promise<CheckResult[]> => {
  const page = (await show(session)).replaceAll(/\s+/g, ' ');
  return checks.map((check) => {
    const isShown = page.includes(check.text);
    const observed = isShown ? 'shown' : 'not shown';
    const grade = isShown ? ('right' as const) : check.isBasic ? ('wrong' as const) : ('ignored' as const);
    return resultOf(session, check, { input: check.text, expected: 'shown', observed, grade });
  });
};

/** To write code that has a text of the document, such as a description as a comment. */
import type { CheckResult } from '../check.ts';
import type { Session } from '../session.ts';
import { findTexts, type ShowCheck } from './show.ts';

export type CodeCheck = ShowCheck;

/** All generated code. */
export type Code = (session: Session) => Promise<string>;

export const askCode = async (session: Session, code: Code, checks: readonly CodeCheck[]): Promise<CheckResult[]> =>
  findTexts(session, (await code(session)).replaceAll(lineStart, '\n'), checks, 'in the code');

/** Before each line of a comment. */
const lineStart = /\n\s*(?:\*|\/\/+|#+)?\s*/g;

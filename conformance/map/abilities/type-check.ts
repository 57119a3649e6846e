/** To have types by which the compiler accepts or refuses a literal. */
import { type Check, resultOf } from '../check.ts';
import type { CheckResult } from '../data.ts';
import type { Session } from '../session.ts';
import { gradeJudgement, type Judgement } from './validate.ts';

export interface TypeCheck extends Check {
  /** A schema of the components. */
  readonly schema: string;
  /** Where tools have different types for requests and for responses: `request` or `response`. Absent: there is one type. */
  readonly side?: 'request' | 'response';
  readonly literal: unknown;
  readonly isValid: boolean;
  readonly ignored?: 'refused';
}

export type TypeQuestion = Pick<TypeCheck, 'schema' | 'side' | 'literal'>;

export type TypeChecks = (
  session: Session,
  questions: readonly TypeQuestion[],
) => Promise<readonly (Judgement | undefined)[]>;

export const askTypeChecks = async (
  session: Session,
  typeCheck: TypeChecks,
  checks: readonly TypeCheck[],
): Promise<CheckResult[]> => {
  const answers = await typeCheck(session, checks);
  return checks.flatMap((check, index) => {
    const answer = answers[index];
    const input = `${check.schema}: ${JSON.stringify(check.literal)}`;
    return answer === undefined ? [] : [resultOf(session, check, { input, ...gradeJudgement(check, answer) })];
  });
};

/** To have types by which the compiler accepts or refuses a literal. */
import { type Check, type CheckResult, resultOf } from '../check.ts';
import { exactJson } from '../exact-json.ts';
import type { Session } from '../session.ts';
import { gradeJudgement, type Judgement } from './validate.ts';

export interface TypeCheck extends Check {
  /** A schema of the components, unless the type is that of a body of an operation. */
  readonly schema?: string;
  /** The operation whose body is meant: of its request, or of its response `side: 'response'`. It may be one of a webhook or of a callback. */
  readonly operation?: string;
  /** Of the response. `200` by default. */
  readonly status?: number;
  /** Of the body. `application/json` by default. */
  readonly contentType?: string;
  /** Where tools have different types for requests and for responses: `request` or `response`. Absent: there is one type. */
  readonly side?: 'request' | 'response';
  /** A bigint is an exact number. */
  readonly literal: unknown;
  readonly isValid: boolean;
  readonly ignored?: 'refused';
}

export type TypeQuestion = Omit<TypeCheck, 'check' | 'isBasic' | 'isValid' | 'ignored'>;

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
    const input = `${nameOf(check)}: ${exactJson(check.literal)}`;
    return answer === undefined ? [] : [resultOf(session, check, { input, ...gradeJudgement(check, answer) })];
  });
};

const nameOf = ({ schema, operation, side = 'request', status = 200, contentType = 'application/json' }: TypeCheck) =>
  schema ?? (side === 'request' ? `body of ${operation}, ${contentType}` : `${status} of ${operation}, ${contentType}`);

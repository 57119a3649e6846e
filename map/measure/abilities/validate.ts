/** To accept or refuse a request or a response. */
import { type Check, type CheckResult, resultOf } from '../check.ts';
import { exactJson, isJson } from '../exact-json.ts';
import { findOperation } from '../operation.ts';
import type { Session } from '../session.ts';

export interface ValidateCheck extends Check {
  readonly operation: string;
  /** `request` by default. */
  readonly side?: 'request' | 'response';
  /** The target of the request, where the path has parameters or a query: `/plants/1?tag=x`. */
  readonly target?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly status?: number;
  /** `application/json` by default. */
  readonly contentType?: string;
  /** A bigint is written as an exact number. A body of another media type is a string. */
  readonly body?: unknown;
  readonly isValid: boolean;
  /** What a tool that ignores the feature answers to a valid instance. Unless given, a refusal of it is wrong. */
  readonly ignored?: 'refused';
}

export interface ValidateQuestion {
  readonly operationId: string;
  readonly method: string;
  /** The template of the path. */
  readonly path: string;
  readonly target: string;
  readonly side: 'request' | 'response';
  readonly headers: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
  readonly status: number;
  readonly contentType: string;
  readonly body: string | undefined;
  /** For a response: a valid body of the request, from the first check with one. */
  readonly requestBody: string | undefined;
  /** Where the schema of the body is. */
  readonly schema: string;
}

export interface Judgement {
  readonly isAccepted: boolean;
  readonly line?: string;
  /** The generated code has no such type, so that nothing is refused and nothing is accepted. */
  readonly isMissing?: boolean;
}

/** Answers each question, or undefined where the tool does not validate that side or media type. */
export type Validate = (
  session: Session,
  questions: readonly ValidateQuestion[],
) => Promise<readonly (Judgement | undefined)[]>;

export const askValidate = async (
  session: Session,
  validate: Validate,
  checks: readonly ValidateCheck[],
): Promise<CheckResult[]> => {
  const questions = checks.map((check) => questionOf(session, check, checks));
  const answers = await validate(session, questions);
  return checks.flatMap((check, index) => {
    const [answer, question] = [answers[index], questions[index]];
    if (answer === undefined || question === undefined) return [];
    return [resultOf(session, check, { input: inputOf(question), ...gradeJudgement(check, answer) })];
  });
};

/** The grade of an instance that is accepted or refused. */
export const gradeJudgement = (
  { isValid, ignored }: Pick<ValidateCheck, 'isValid' | 'ignored'>,
  { isAccepted, line, isMissing = false }: Judgement,
) => {
  const word = (isYes: boolean) => (isYes ? 'accepted' : 'refused');
  const isIgnored = !isValid || ignored === word(isAccepted);
  if (isMissing) return { expected: word(isValid), observed: 'no such type', line, grade: 'ignored' as const };
  const grade = isAccepted === isValid ? ('right' as const) : isIgnored ? ('ignored' as const) : ('wrong' as const);
  return { expected: word(isValid), observed: word(isAccepted), line, grade };
};

const questionOf = ({ document }: Session, check: ValidateCheck, all: readonly ValidateCheck[]): ValidateQuestion => {
  const { operation, side = 'request', status = 200, contentType = 'application/json', headers = {}, body } = check;
  const { method, path, pointer } = findOperation(document, operation);
  const valid = all.find((one) => one.isValid && one.operation === operation && one.side !== 'response');
  const content = side === 'request' ? `${pointer}/requestBody` : `${pointer}/responses/${status}`;
  return {
    operationId: operation,
    method,
    path,
    target: check.target ?? path,
    side,
    headers,
    responseHeaders: check.responseHeaders ?? {},
    status,
    contentType,
    body: typeof body === 'string' && !isJson(contentType) ? body : body === undefined ? body : exactJson(body),
    requestBody: textOf(valid?.body),
    schema: `${content}/content/${contentType.replaceAll('/', '~1')}/schema`,
  };
};

const textOf = (body: unknown): string | undefined => (body === undefined ? undefined : exactJson(body));

const inputOf = ({ side, method, target, headers, status, responseHeaders, body }: ValidateQuestion): string => {
  const lines = Object.entries(side === 'request' ? headers : responseHeaders).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const message = [...lines, body].filter((part) => part !== undefined).join(' ');
  return side === 'request' ? `${method} ${target} ${message}` : `${status} ${message} from ${method} ${target}`;
};

/** To call an operation: the request is compared on the wire, and the value that is read from the response as exact JSON. */
import { type Check, type CheckResult, type Grade, resultOf } from '../check.ts';
import { canonicalJson, exactJson } from '../exact-json.ts';
import { findOperation } from '../operation.ts';
import { type Recorded, type Reply, startRecorder } from '../recorder.ts';
import type { Session } from '../session.ts';

export interface CallCheck extends Check {
  readonly operation: string;
  readonly arguments?: CallArguments;
  /** The request that must be sent. What is absent is not compared. */
  readonly request?: ExpectedRequest;
  /** Requests of a tool that ignores the feature. Any other one is wrong. */
  readonly ignored?: readonly ExpectedRequest[];
  /** The response of the server. `204` by default. */
  readonly response?: Reply;
  /** The value that must be read from the response, with bigints for exact numbers. */
  readonly value?: unknown;
  readonly ignoredValues?: readonly unknown[];
}

/** Values may have bigints. */
export interface CallArguments {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly header?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** The media type of the body, where the operation has several and the caller chooses. */
  readonly contentType?: string;
}

export interface ExpectedRequest {
  readonly method?: string;
  readonly target?: string;
  readonly contentType?: string;
  /** JSON is compared by its value, with exact numbers. */
  readonly body?: string;
}

export interface CallQuestion extends CallArguments {
  readonly operationId: string;
  readonly method: string;
  readonly template: string;
  /** Without a slash at the end. Each question has its own. */
  readonly baseUrl: string;
}

export interface CallAnswer {
  /** What the client returned, as exact JSON. Absent if it cannot tell, and then the value is not compared. */
  readonly value?: string;
  /** The message, if the client threw. */
  readonly error?: string;
}

/** Calls each operation at its base URL. Undefined where the client has no such operation. */
export type Call = (
  session: Session,
  questions: readonly CallQuestion[],
) => Promise<readonly (CallAnswer | undefined)[]>;

export const askCall = async (session: Session, call: Call, checks: readonly CallCheck[]): Promise<CheckResult[]> => {
  await using recorder = startRecorder(
    checks.map(({ response }) => response),
    session.document,
  );
  const questions = checks.map(({ operation, arguments: given = {} }, index): CallQuestion => {
    const { method, path } = findOperation(session.document, operation);
    return { ...given, operationId: operation, method, template: path, baseUrl: recorder.urlOf(index) };
  });
  const answers = await call(session, questions);
  return checks.flatMap((check, index) => {
    const answer = answers[index];
    const input = `${check.operation}(${exactJson(check.arguments ?? {})})`;
    if (answer === undefined) return [];
    const graded = [...gradeRequest(check, recorder.requests[index], answer), ...gradeValue(check, answer)];
    return graded.map((one) => resultOf(session, check, { ...one, input, line: answer.error }));
  });
};

const gradeRequest = ({ request, ignored = [] }: CallCheck, seen: Recorded | undefined, { error }: CallAnswer) => {
  if (request === undefined) return [];
  const observed = seen === undefined ? `no request${error === undefined ? '' : `: ${error}`}` : printRequest(seen);
  const grade: Grade =
    seen !== undefined && isRequest(seen, request)
      ? 'right'
      : seen !== undefined && ignored.some((one) => isRequest(seen, one))
        ? 'ignored'
        : 'wrong';
  return [{ expected: printRequest(request), observed, grade }];
};

const gradeValue = (check: CallCheck, { value, error }: CallAnswer) => {
  if (check.value === undefined || (value === undefined && error === undefined)) return [];
  const seen = canonicalJson(value ?? '');
  const is = (expected: unknown) => seen === canonicalJson(exactJson(expected));
  const grade: Grade = is(check.value) ? 'right' : (check.ignoredValues ?? []).some(is) ? 'ignored' : 'wrong';
  return [{ expected: exactJson(check.value), observed: value ?? error ?? '', grade }];
};

const isRequest = (seen: Recorded, { method, target, contentType, body }: ExpectedRequest): boolean =>
  (method === undefined || seen.method === method) &&
  (target === undefined || seen.target === target) &&
  (contentType === undefined || seen.contentType.split(';', 1)[0] === contentType) &&
  (body === undefined || seen.body === body || (body !== '' && canonicalJson(seen.body) === canonicalJson(body)));

const printRequest = ({ method, target, contentType, body }: ExpectedRequest): string =>
  [method, target, contentType, body].filter((part) => part !== undefined && part !== '').join(' ');

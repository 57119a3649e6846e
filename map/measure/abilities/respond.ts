/** To answer a request as the document says, as a mock does. */
import { type Check, type CheckResult, type Grade, resultOf } from '../check.ts';
import { canonicalJson, exactJson } from '../exact-json.ts';
import type { Session } from '../session.ts';

export interface RespondCheck extends Check {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response: {
    readonly status?: number;
    readonly contentType?: string;
    readonly body?: unknown;
    /** Where one of several bodies is right. */
    readonly bodies?: readonly unknown[];
    /** What the value of a header must match. */
    readonly headers?: Readonly<Record<string, RegExp>>;
  };
}

export interface RunningMock extends AsyncDisposable {
  /** Without a slash at the end. */
  readonly url: string;
}

/** Starts a mock server on the document. */
export type Respond = (session: Session) => Promise<RunningMock>;

export const askRespond = async (
  session: Session,
  respond: Respond,
  checks: readonly RespondCheck[],
): Promise<CheckResult[]> => {
  await using mock = await respond(session);
  const results: CheckResult[] = [];
  for (const check of checks) results.push(resultOf(session, check, await send(mock.url, check)));
  return results;
};

const send = async (url: string, { method = 'GET', target, headers = {}, body, response }: RespondCheck) => {
  const init = body === undefined ? {} : { body: exactJson(body) };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const answer = await fetch(`${url}${target}`, { method, headers: { ...type, ...headers }, ...init });
  const seen = {
    status: answer.status,
    contentType: answer.headers.get('content-type') ?? '',
    body: await answer.text(),
  };
  const { status = 200, contentType } = response;
  const texts = (response.bodies ?? [response.body]).filter((one) => one !== undefined).map(exactJson);
  const wanted = Object.entries(response.headers ?? {});
  const found = wanted.map(([name]) => answer.headers.get(name));
  const isSame =
    (contentType === undefined || seen.contentType.startsWith(contentType)) &&
    (texts.length === 0 || texts.some((text) => canonicalJson(seen.body) === canonicalJson(text))) &&
    !found.includes(null);
  const hasWrongHeader = wanted.some(
    ([, pattern], index) => !pattern.test(found[index] ?? '') && found[index] !== null,
  );
  const grade: Grade = seen.status !== status || hasWrongHeader ? 'wrong' : isSame ? 'right' : 'ignored';
  return {
    input: [method, target, exactJson(body)].filter(Boolean).join(' '),
    expected: [status, ...wanted.map(([name, { source }]) => `${name}: ${source}`), contentType, texts.join(' or ')]
      .filter(Boolean)
      .join(' '),
    observed: [seen.status, ...wanted.map(([name], index) => `${name}: ${found[index]}`), seen.contentType, seen.body]
      .filter(Boolean)
      .join(' '),
    grade,
  };
};

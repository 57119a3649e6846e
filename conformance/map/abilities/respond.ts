/** To answer a request as the document says, as a mock does. */
import { type Check, resultOf } from '../check.ts';
import type { CheckResult, Grade } from '../data.ts';
import { canonicalJson, exactJson } from '../exact-json.ts';
import type { Session } from '../session.ts';

export interface RespondCheck extends Check {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly response: { readonly status?: number; readonly contentType?: string; readonly body?: unknown };
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
  const text = response.body === undefined ? undefined : exactJson(response.body);
  const isSame =
    (contentType === undefined || seen.contentType.startsWith(contentType)) &&
    (text === undefined || canonicalJson(seen.body) === canonicalJson(text));
  const grade: Grade = seen.status !== status ? 'wrong' : isSame ? 'right' : 'ignored';
  return {
    input: [method, target, exactJson(body)].filter(Boolean).join(' '),
    expected: [status, contentType, text].filter((part) => part !== undefined).join(' '),
    observed: `${seen.status} ${seen.contentType} ${seen.body}`,
    grade,
  };
};

/** To forward a request and its response unchanged, as a proxy does. */
import { type Check, type CheckResult, resultOf } from '../check.ts';
import { canonicalJson } from '../exact-json.ts';
import type { Session } from '../session.ts';
import type { RunningMock } from './respond.ts';

/** Both bodies are JSON. */
export interface ForwardCheck extends Check {
  readonly method: string;
  readonly target: string;
  readonly body: string;
  readonly response: string;
}

/** Starts a proxy ahead of the server at the URL. */
export type Forward = (session: Session, url: string) => Promise<RunningMock>;

export const askForward = async (
  session: Session,
  forward: Forward,
  checks: readonly ForwardCheck[],
): Promise<CheckResult[]> => {
  let reply = '';
  let received = '';
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      received = await request.text();
      return new Response(reply, { headers: { 'content-type': 'application/json' } });
    },
  });
  try {
    await using proxy = await forward(session, `http://127.0.0.1:${server.port}`);
    const results: CheckResult[] = [];
    for (const check of checks) {
      const { method, target, body, response } = check;
      [reply, received] = [response, 'no request'];
      const headers = { 'content-type': 'application/json' };
      const answer = await (await fetch(`${proxy.url}${target}`, { method, headers, body })).text();
      const graded = [
        { input: `${method} ${target} ${body}`, expected: body, observed: received },
        { input: `200 ${response} to ${method} ${target}`, expected: response, observed: answer },
      ];
      for (const one of graded) {
        const isSame = canonicalJson(one.observed) === canonicalJson(one.expected);
        results.push(resultOf(session, check, { ...one, grade: isSame ? 'right' : 'wrong' }));
      }
    }
    return results;
  } finally {
    await server.stop(true);
  }
};

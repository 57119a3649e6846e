/** To test a server: one that is right passes, and one that breaks a rule of the document fails. */
import { type Check, type CheckResult, type Grade, resultOf } from '../check.ts';
import { type Recorded, record } from '../recorder.ts';
import type { Session } from '../session.ts';

/** The target has no query. */
export type Handler = (request: Recorded & { readonly query: URLSearchParams }) => Response;

export interface TestCheck {
  /** A server that does what the document says. */
  readonly right: Handler;
  readonly broken?: readonly (Check & { readonly server: Handler })[];
  /** Requests that the tester must send to the right server. */
  readonly sends?: readonly Sent[];
}

export interface Sent extends Check {
  readonly request: (request: Recorded) => boolean;
  readonly expected: string;
  /** One of many requests that match the schema: a tester that sends a few need not send it, and is not asked. */
  readonly isOneOfMany?: boolean;
}

const manyMin = 10;

export interface TestAnswer {
  /** Undefined for a tool that sends requests, and does not look at the responses. */
  readonly hasPassed: boolean | undefined;
  readonly line?: string;
}

/** Tests the server at the URL, without a slash at the end. The server has the document at `/openapi.json` too. */
export type Test = (session: Session, url: string) => Promise<TestAnswer>;

export const askTest = async (session: Session, test: Test, { right, broken = [], sends = [] }: TestCheck) => {
  const word = (hasPassed: boolean) => (hasPassed ? 'passes' : 'fails');
  const results: CheckResult[] = [];
  const ask = async (check: Check, server: Handler, isRight: boolean) => {
    session.commands.length = 0;
    const { requests, answer } = await runTest(session, test, server);
    const { hasPassed, line } = answer;
    if (hasPassed === undefined) return { requests, isJudged: false };
    const grade: Grade = hasPassed === isRight ? 'right' : isRight ? 'wrong' : 'ignored';
    const input = isRight ? 'a server that follows the document' : 'a server that breaks the document';
    results.push(resultOf(session, check, { input, expected: word(isRight), observed: word(hasPassed), line, grade }));
    return { requests, isJudged: true };
  };
  const { requests: sent, isJudged } = await ask({ check: 'a server that is right', isBasic: true }, right, true);
  for (const check of sends) {
    if (check.isOneOfMany && sent.length < manyMin) continue;
    const found = sent.find(check.request);
    const observed = found ? printed(found) : `none of ${sent.length} requests`;
    const grade = found ? ('right' as const) : ('ignored' as const);
    results.push(
      resultOf(session, check, { input: 'the requests to the server', expected: check.expected, observed, grade }),
    );
  }
  if (isJudged) for (const check of broken) await ask(check, check.server, false);
  return results;
};

const printed = ({ method, target, contentType, body }: Recorded): string =>
  [method, target, contentType, body].filter(Boolean).join(' ');

const runTest = async (session: Session, test: Test, handler: Handler) => {
  const requests: Recorded[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname, search, searchParams: query } = new URL(request.url);
      if (pathname === '/openapi.json') return Response.json(session.document);
      requests.push(await record(request, `${pathname}${search}`));
      const recorded = requests.at(-1);
      return recorded === undefined
        ? new Response(null, { status: 500 })
        : handler({ ...recorded, target: pathname, query });
    },
  });
  try {
    return { requests, answer: await test(session, `http://127.0.0.1:${server.port}`) };
  } finally {
    await server.stop(true);
  }
};

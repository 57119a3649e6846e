/** To test a server: one that is right passes, and one that breaks a rule of the document fails. */
import { type Check, type CheckResult, type Grade, resultOf } from '../check.ts';
import { valueAt } from '../operation.ts';
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
  /** The server of the document decides where it is sent: a tester that is told the URL of the server is not asked. */
  readonly isLocated?: boolean;
}

const manyMin = 10;

export interface TestAnswer {
  /** Undefined for a tool that sends requests, and does not look at the responses. */
  readonly hasPassed: boolean | undefined;
  readonly line?: string;
  /** It is told the URL of the server, as its documentation says, instead of the server of the document. */
  readonly isToldServer?: boolean;
}

interface Exchange {
  readonly request: Recorded;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
}

/** Tests the server at the URL, without a slash at the end. The server has the document at `/openapi.json` too. */
export type Test = (session: Session, url: string) => Promise<TestAnswer>;

export const askTest = async (session: Session, test: Test, { right, broken = [], sends = [] }: TestCheck) => {
  const word = (hasPassed: boolean) => (hasPassed ? 'passes' : 'fails');
  const results: CheckResult[] = [];
  const ask = async (check: Check, server: Handler, isRight: boolean) => {
    session.commands.length = 0;
    const { exchanges, answer } = await runTest(session, test, server);
    const { hasPassed } = answer;
    if (hasPassed === undefined) return { exchanges, answer };
    const grade: Grade = hasPassed === isRight ? 'right' : isRight ? 'wrong' : 'ignored';
    const line = grade === 'wrong' ? withRefused(session, answer.line, exchanges) : answer.line;
    const input = isRight ? 'a server that follows the document' : 'a server that breaks the document';
    const exchange = grade === 'right' ? undefined : textOf(decidingExchange(session, exchanges, answer.line));
    const [expected, observed] = [word(isRight), word(hasPassed)];
    results.push(resultOf(session, check, { input, expected, observed, line, exchange, grade }));
    return { exchanges, answer };
  };
  const { exchanges, answer } = await ask({ check: 'a server that is right', isBasic: true }, right, true);
  const commands = [...session.commands];
  for (const check of sends) {
    if (check.isOneOfMany && exchanges.length < manyMin) continue;
    if (check.isLocated && answer.isToldServer) continue;
    const found = exchanges.find(({ request }) => check.request(request));
    const observed = found ? printed(found.request) : `none of ${exchanges.length} requests`;
    const grade = found ? ('right' as const) : ('ignored' as const);
    results.push(
      resultOf(session, check, { input: 'the requests to the server', expected: check.expected, observed, grade }),
    );
  }
  if (answer.hasPassed !== undefined) for (const check of broken) await ask(check, check.server, false);
  session.commands.splice(0, Infinity, ...commands);
  return results;
};

/** The line, and the last request that the right server refused. A tester that sends many sends wrong ones on purpose. */
const withRefused = (session: Session, line: string | undefined, exchanges: readonly Exchange[]) => {
  const refused = exchanges.findLast(({ request, status }) => status >= 400 && isOfDocument(session, request));
  if (refused === undefined || exchanges.length >= manyMin) return line;
  const request = printed(refused.request).replaceAll(/\s+/g, ' ');
  return [line, `the server answers ${refused.status} to ${request}`].filter(Boolean).join('; ');
};

/** The last request that the server refused. Of many requests, some are wrong on purpose: the last one whose status the tester names. */
const decidingExchange = (session: Session, exchanges: readonly Exchange[], line = ''): Exchange | undefined => {
  const asked = exchanges.filter(({ request }) => isOfDocument(session, request));
  const decides =
    exchanges.length < manyMin
      ? asked.findLast(({ status }) => status >= 400)
      : exchanges.findLast(({ status }) => line.includes(`${status}`));
  return decides ?? asked.at(-1);
};

const textOf = (exchange: Exchange | undefined): string => {
  if (exchange === undefined) return 'no request of the document';
  const { request, status, contentType, body } = exchange;
  const accept = request.headers['accept'];
  return [
    `${request.method} ${request.target}`,
    ...(accept === undefined ? [] : [`accept: ${accept}`]),
    ...(request.contentType === '' ? [] : [`content-type: ${request.contentType}`]),
    ...(request.body === '' ? [] : ['', request.body]),
    '',
    [status, contentType].filter(Boolean).join(' '),
    ...(body === '' ? [] : [body]),
  ].join('\n');
};

/** Testers also look for a document at other paths. */
const isOfDocument = ({ document }: Session, { target }: Recorded): boolean =>
  Object.keys(valueAt(document, '/paths') ?? {}).some((template) =>
    new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/?]+')}(?:\\?|$)`).test(target),
  );

const printed = ({ method, target, contentType, body }: Recorded): string =>
  [method, target, contentType, body].filter(Boolean).join(' ');

const runTest = async (session: Session, test: Test, handler: Handler) => {
  const exchanges: Exchange[] = [];
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: async (request) => {
      const { pathname, search, searchParams: query } = new URL(request.url);
      if (pathname === '/openapi.json') return Response.json(session.document);
      const recorded = await record(request, `${pathname}${search}`);
      const response = handler({ ...recorded, target: pathname, query });
      const { status, headers } = response;
      const body = await response.clone().text();
      exchanges.push({ request: recorded, status, contentType: headers.get('content-type') ?? '', body });
      return response;
    },
  });
  try {
    return { exchanges, answer: await test(session, `http://127.0.0.1:${server.port}`) };
  } finally {
    await server.stop(true);
  }
};

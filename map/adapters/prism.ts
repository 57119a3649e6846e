import { freePort } from '../../tests/support/network/port.ts';
import type { RunningMock } from '../measure/abilities/respond.ts';
import type { ValidateQuestion } from '../measure/abilities/validate.ts';
import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { judgeByServer, replyHeader, replyOf } from './shared/validating-server.ts';

const start = async (session: Session, ...words: string[]) => {
  const port = await freePort();
  const process = await session.start(['prism', ...words, '--port', `${port}`], 'is listening');
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
};

/** With `--errors` it would refuse a request because its own example of a response is not valid. */
const mock = (session: Session) => start(session, 'mock', 'openapi.yaml');

const proxy = (session: Session, url: string, ...options: string[]) =>
  start(session, 'proxy', 'openapi.yaml', url, ...options);

/** The server behind the proxy, which sends the response that a request tells it. */
const serveReplies = () =>
  Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ headers: told }) => {
      const reply = replyOf(told.get(replyHeader) ?? undefined);
      if (reply === undefined) return new Response(null, { status: 204 });
      const { status, headers, contentType, body } = reply;
      // A status such as 204 permits no body, not even an empty one.
      return new Response(body || null, { status, headers: { ...headers, 'content-type': contentType } });
    },
  });

/** Starts the server only if there is a question. The command is evidence. */
const judge = async (questions: readonly ValidateQuestion[], startServer: () => Promise<RunningMock>) => {
  if (questions.length === 0) return [];
  await using server = await startServer();
  const judgements = await judgeByServer(server.url, questions);
  return questions.map((question, index) => [question, judgements[index]] as const);
};

export const tool: AdapterText = {
  name: 'Prism',
  kind: 'mock',
  language: 'JavaScript',
  registry: 'npm',
  package: '@stoplight/prism-cli',
  version: '5.16.0',
  homepage: 'https://stoplight.io/open-source/prism',
  tracker: 'https://github.com/stoplightio/prism/issues',
  sentences: {
    dialect: [
      'wrong',
      'With the dialect of OpenAPI, it validates no body: one with a wrong type is accepted.',
      /"name":5[\s\S]*accepted/,
    ],
    int64: [
      'partly',
      'It refuses an id beyond 2⁵³ − 1, and its proxy rounds such an id in requests and responses.',
      /9007199254740993[\s\S]*9007199254740992/,
    ],
  },
  abilities: {
    // The mock judges requests, and the proxy judges the responses of a server.
    validate: async (session, questions) => {
      const { request = [], response = [] } = Object.groupBy(questions, ({ side }) => side);
      await using server = serveReplies();
      const judgements = new Map([
        ...(await judge(request, () => mock(session))),
        ...(await judge(response, () => proxy(session, server.url.origin, '--errors'))),
      ]);
      return questions.map((question) => judgements.get(question));
    },
    respond: mock,
    forward: proxy,
  },
};

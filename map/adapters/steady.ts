import { freePort } from '../../tests/support/network/port.ts';
import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { serveMock } from './shared/mock.ts';
import { judgeByServer } from './shared/validating-server.ts';

const mock = async (session: Session) => {
  const port = await freePort();
  const command = ['steady', 'openapi.yaml', '--host', '127.0.0.1', '--port', `${port}`];
  const process = await session.start(command, 'Ready to accept');
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
};

/** Some problems of a request, such as a value that does not match its pattern, are reported only in the headers of the response. */
const refuseReported = (mockUrl: string) =>
  serveMock(async (request) => {
    const { pathname, search } = new URL(request.url);
    const { method, headers } = request;
    const body = await request.text();
    const response = await fetch(`${mockUrl}${pathname}${search}`, { method, headers, ...(body && { body }) });
    const isReported = response.status < 400 && response.headers.get('x-steady-error-count') !== '0';
    if (!isReported) return new Response(await response.text(), { status: response.status });
    const names = ['x-steady-error-1-code', 'x-steady-error-1-path', 'x-steady-error-1-message'];
    return new Response(names.map((name) => response.headers.get(name)).join(' '), { status: 400 });
  });

export const tool: AdapterText = {
  name: 'Steady',
  kind: 'mock',
  language: 'TypeScript',
  registry: 'npm',
  package: '@stdy/cli',
  version: '0.22.2',
  homepage: 'https://github.com/dgellow/steady',
  tracker: 'https://github.com/dgellow/steady/issues',
  notes: ['A problem that it reports in the headers of a response with the status 200 counts as a refusal.'],
  abilities: {
    validate: async (session, questions) => {
      await using server = await mock(session);
      await using strict = refuseReported(server.url);
      return await judgeByServer(strict.url, questions, { validatesResponses: false });
    },
    respond: mock,
  },
};

import { freePort } from '../../tests/support/port.ts';
import type { AdapterText } from '../map/adapter.ts';
import type { Session } from '../map/session.ts';
import { judgeByServer } from './shared/validating-server.ts';

const start = async (session: Session, ...words: string[]) => {
  const port = await freePort();
  const process = await session.start(['prism', ...words, '--port', `${port}`], 'is listening');
  return { url: `http://127.0.0.1:${port}`, [Symbol.asyncDispose]: () => process[Symbol.asyncDispose]() };
};

/** With `--errors` it would refuse a request because its own example of a response is not valid. */
const mock = (session: Session) => start(session, 'mock', 'openapi.yaml');

export const tool: AdapterText = {
  name: 'Prism',
  kind: 'validator',
  language: 'JavaScript',
  registry: 'npm',
  package: '@stoplight/prism-cli',
  version: '5.16.0',
  homepage: 'https://stoplight.io/open-source/prism',
  tracker: 'https://github.com/stoplightio/prism/issues',
  abilities: {
    validate: async (session, questions) => {
      await using server = await mock(session);
      return await judgeByServer(server.url, questions, { validatesResponses: false });
    },
    respond: mock,
    forward: (session, url) => start(session, 'proxy', 'openapi.yaml', url),
  },
};

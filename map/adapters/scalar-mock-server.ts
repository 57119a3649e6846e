import type { createMockServer } from '@scalar/mock-server';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { isInFiles } from './shared/files.ts';
import { serveMock } from './shared/mock.ts';
import { judgeByServer } from './shared/validating-server.ts';

const mock = async (session: Session) => {
  const { createMockServer: create } = await session.import<{ createMockServer: typeof createMockServer }>(
    '@scalar/mock-server',
  );
  const app = await create({ document: structuredClone(session.document), logger: false }).catch((error) => {
    throw new Refusal(`${error}`);
  });
  return serveMock((request) => app.fetch(request));
};

export const tool: AdapterText = {
  name: '@scalar/mock-server',
  kind: 'mock',
  language: 'JavaScript',
  registry: 'npm',
  package: '@scalar/mock-server',
  version: '0.14.4',
  isQuick: true,
  homepage: 'https://github.com/scalar/scalar/tree/main/packages/mock-server',
  tracker: 'https://github.com/scalar/scalar/issues',
  usage: 'const app = await createMockServer({ document })',
  abilities: {
    validate: async (session, questions) => {
      if (isInFiles(session)) return questions.map(() => undefined);
      await using server = await mock(session);
      return await judgeByServer(server.url, questions, { validatesResponses: false });
    },
    respond: mock,
  },
};

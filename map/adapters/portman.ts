import type { AdapterText } from '../measure/adapter.ts';
import { decidingLine } from '../measure/check.ts';
import { Refusal } from '../measure/session.ts';
import { runCollection } from './shared/newman.ts';

export const tool: AdapterText = {
  name: 'Portman',
  kind: 'tester',
  language: 'TypeScript',
  registry: 'npm',
  package: '@apideck/portman',
  version: '1.33.0',
  with: { newman: '6.2.2' },
  homepage: 'https://github.com/apideck-libraries/portman',
  tracker: 'https://github.com/apideck-libraries/portman/issues',
  abilities: {
    test: async (session, url) => {
      const options = { parametersResolution: 'Example', enableOptionalParameters: true };
      await Bun.write(session.file('postman.json'), JSON.stringify(options));
      const command = ['portman', '-l', 'openapi.yaml', '-s', 'postman.json', '-o', 'collection.json'];
      const { text, exitCode } = await session.run(command, { mayFail: true });
      if (exitCode !== 0) throw new Refusal(decidingLine(text, /\w+Error: /));
      return runCollection(session, url);
    },
  },
};

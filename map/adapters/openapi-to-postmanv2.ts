import type { AdapterText } from '../measure/adapter.ts';
import { runCollection } from './shared/newman.ts';

export const tool: AdapterText = {
  name: 'openapi-to-postmanv2',
  kind: 'tester',
  language: 'JavaScript',
  registry: 'npm',
  package: 'openapi-to-postmanv2',
  version: '6.3.3',
  with: { newman: '6.2.2' },
  homepage: 'https://github.com/postmanlabs/openapi-to-postman',
  tracker: 'https://github.com/postmanlabs/openapi-to-postman/issues',
  notes: [
    'It makes the collection of Postman, and newman runs it. The collection sends requests, and has no tests of the responses.',
  ],
  abilities: {
    test: async (session, url) => {
      const options = 'parametersResolution=Example,enableOptionalParameters=true';
      await session.run(['openapi2postmanv2', '-s', 'openapi.yaml', '-o', 'collection.json', '-O', options]);
      await runCollection(session, url);
      return { hasPassed: undefined };
    },
  },
};

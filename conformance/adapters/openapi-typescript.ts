import type { AdapterText } from '../map/adapter.ts';
import { checkLiterals } from './shared/tsc.ts';

export const tool: AdapterText = {
  name: 'openapi-typescript',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'openapi-typescript',
  version: '7.13.0',
  homepage: 'https://openapi-ts.dev/',
  tracker: 'https://github.com/openapi-ts/openapi-typescript/issues',
  abilities: {
    load: async ({ run }) => {
      await run(['openapi-typescript', 'openapi.yaml', '-o', 'api.ts']);
    },
    typeCheck: async (session, questions) => {
      await session.run(['openapi-typescript', 'openapi.yaml', '-o', 'api.ts']);
      return checkLiterals(session, questions, {
        imports: "import type { components } from './api.ts';",
        typeOf: ({ schema }) => `components['schemas']['${schema}']`,
      });
    },
  },
};

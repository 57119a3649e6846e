import type { AdapterText } from '../map/adapter.ts';
import type { Session } from '../map/session.ts';
import { checkLiterals } from './shared/tsc.ts';
import { callTypeScript } from './shared/typescript-client.ts';

const generate = async ({ run }: Session): Promise<void> => {
  await run(['orval', '--input', 'openapi.yaml', '--output', 'api.ts', '--client', 'fetch']);
};

export const tool: AdapterText = {
  name: 'orval',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'orval',
  version: '8.38.0',
  homepage: 'https://orval.dev/',
  tracker: 'https://github.com/orval-labs/orval/issues',
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      return checkLiterals(session, questions, {
        imports: "import * as api from './api.ts';",
        // A type of a component is that of both directions; those of a function are of one.
        typeOf: (schema) => `api.${schema}`,
        bodyOf: (operationId, { side, status = 200 }) =>
          side === 'response'
            ? `api.${operationId}Response${status}['data']`
            : `Parameters<typeof api.${operationId}>[0]`,
      });
    },
    call: async (session, questions) => {
      await generate(session);
      return callTypeScript(session, questions, {
        imports: "import * as api from './api.ts';",
        // A function takes the parameters of the path, then the body, and then those of the query.
        call: ({ operationId, path = {}, body, query }, literal) => {
          const given = [...Object.values(path), body, query].filter((value) => value !== undefined).map(literal);
          return `(await api.${operationId}(${given.join(', ')})).data`;
        },
      });
    },
  },
};

import type { AdapterText } from '../map/adapter.ts';
import type { Session } from '../map/session.ts';
import { callTypeScript } from './shared/typescript-client.ts';
import { judgeInProcess } from './shared/zod.ts';

const generate = async ({ run }: Session): Promise<void> => {
  await run(['openapi-zod-client', 'openapi.yaml', '--output', 'api.ts']);
};

export const tool: AdapterText = {
  name: 'openapi-zod-client',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'openapi-zod-client',
  version: '1.18.3',
  homepage: 'https://github.com/astahmer/openapi-zod-client',
  tracker: 'https://github.com/astahmer/openapi-zod-client/issues',
  abilities: {
    load: generate,
    validate: async (session, questions) => {
      await generate(session);
      return judgeInProcess(session, questions, {
        imports: "import { api } from './api.ts';",
        schemaOf: ({ operationId, side }) => {
          const endpoint = `api.api.find(({ alias }) => alias === '${operationId}')`;
          return side === 'response'
            ? `${endpoint}?.response`
            : `${endpoint}?.parameters?.find(({ type }) => type === 'Body')?.schema`;
        },
      });
    },
    call: async (session, questions) => {
      await generate(session);
      return callTypeScript(session, questions, {
        imports: "import { createApiClient } from './api.ts';",
        call: ({ operationId, path: params, query: queries, header: headers, body, baseUrl }, literal) => {
          const given = [body, { params, queries, headers }].filter((value) => value !== undefined).map(literal);
          return `await createApiClient(${literal(baseUrl)}).${operationId}(${given.join(', ')})`;
        },
      });
    },
  },
};

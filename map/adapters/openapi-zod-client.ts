import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { checkLiterals } from './shared/tsc.ts';
import { callTypeScript } from './shared/typescript-client.ts';
import { judgeInProcess } from './shared/zod.ts';

const generate = async ({ run }: Session): Promise<void> => {
  await run(['openapi-zod-client', 'openapi.yaml', '--output', 'api.ts']);
};

/** The document has `const` so that exactly one branch matches. */
const discriminated =
  'The generated code does not run: `const` is ignored, and zod then refuses the discriminated union. The feature itself could not be asked.';

export const tool: AdapterText = {
  name: 'openapi-zod-client',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'openapi-zod-client',
  version: '1.18.3',
  homepage: 'https://github.com/astahmer/openapi-zod-client',
  tracker: 'https://github.com/astahmer/openapi-zod-client/issues',
  sentences: {
    'members-beside-one-of': ['wrong', discriminated, /discriminator value for key/],
    'unevaluated-discriminator': ['wrong', discriminated, /discriminator value for key/],
  },
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
    typeCheck: async (session, questions) => {
      await generate(session);
      return checkLiterals(session, questions, {
        imports: `import type { ZodiosBodyByAlias, ZodiosResponseByAlias } from '@zodios/core';
import type { z } from 'zod';
import type { api, schemas } from './api.ts';`,
        typeOf: (schema) => `z.infer<(typeof schemas)['${schema}']>`,
        bodyOf: (operationId, { side }) =>
          `${side === 'response' ? 'ZodiosResponseByAlias' : 'ZodiosBodyByAlias'}<(typeof api)['api'], '${operationId}'>`,
      });
    },
    call: async (session, questions) => {
      await generate(session);
      return callTypeScript(session, questions, {
        imports: "import { createApiClient } from './api.ts';",
        call: ({ operationId, method, path: params, query: queries, header: headers, body, baseUrl }, literal) => {
          const options = { params, queries, headers };
          const given = (method === 'GET' ? [options] : [body, options]).map((value) => literal(value) || 'undefined');
          return `await createApiClient(${literal(baseUrl)}).${operationId}(${given.join(', ')})`;
        },
      });
    },
  },
};

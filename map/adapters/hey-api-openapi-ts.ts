import type { Call } from '../measure/abilities/call.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { pascalCase } from './shared/names.ts';
import { checkLiterals } from './shared/tsc.ts';
import { callTypeScript } from './shared/typescript-client.ts';

/** If it does not find a file, it says so and ends with 0. */
const generate = async ({ run }: Session): Promise<void> => {
  const { text } = await run(['openapi-ts', '-i', 'openapi.yaml', '-o', 'api']);
  if (text.includes('Input file not found')) throw new Refusal(text, 'nothing generated');
};

const call =
  (optionsOf: (baseUrl: string) => object): Call =>
  async (session, questions) => {
    await generate(session);
    return callTypeScript(session, questions, {
      imports: "import * as api from './api/sdk.gen.ts';",
      call: ({ operationId, path, query, header: headers, body, baseUrl }, literal) => {
        const options = { ...optionsOf(baseUrl), path, query, headers, body, throwOnError: true };
        return `(await api.${operationId}(${literal(options)})).data`;
      },
    });
  };

export const tool: AdapterText = {
  name: '@hey-api/openapi-ts',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: '@hey-api/openapi-ts',
  version: '0.99.0',
  // Its peer may be of the version 7, with which it does not run.
  with: { typescript: '6.0.3' },
  homepage: 'https://heyapi.dev/',
  tracker: 'https://github.com/hey-api/hey-api/issues',
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      const webhooks = JSON.stringify(session.document['webhooks'] ?? {});
      return checkLiterals(session, questions, {
        imports: "import type * as api from './api/types.gen.ts';",
        typeOf: (schema) => `api.${schema}`,
        bodyOf: (operationId, { side, status = 200 }) => {
          const name = `api.${pascalCase(operationId)}`;
          if (webhooks.includes(`"${operationId}"`)) return `${name}WebhookPayload`;
          return side === 'response' ? `${name}Responses[${status}]` : `${name}Data['body']`;
        },
      });
    },
    call: call((baseUrl) => ({ baseUrl })),
    locate: call(() => ({})),
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'api/*.ts');
    },
  },
};

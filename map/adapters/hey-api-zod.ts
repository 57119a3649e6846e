import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { pascalCase } from './shared/names.ts';
import { judgeInProcess } from './shared/zod.ts';

/** If it does not find a file, it says so and ends with 0. */
const generate = async ({ run }: Session): Promise<void> => {
  const { text } = await run(['openapi-ts', '-i', 'openapi.yaml', '-o', 'api', '-p', 'zod']);
  if (text.includes('Input file not found')) throw new Refusal(text, 'nothing generated');
};

export const tool: AdapterText = {
  name: '@hey-api/openapi-ts (zod)',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: '@hey-api/openapi-ts',
  version: '0.99.0',
  with: { typescript: '6.0.3', zod: '4.6.7' },
  homepage: 'https://heyapi.dev/',
  tracker: 'https://github.com/hey-api/hey-api/issues',
  abilities: {
    load: generate,
    validate: async (session, questions) => {
      await generate(session);
      return judgeInProcess(session, questions, {
        imports: "import * as api from './api/zod.gen.ts';",
        hasBigints: true,
        schemaOf: ({ operationId, side, target }) => {
          const name = `api.z${pascalCase(operationId)}`;
          if (!target.startsWith('/')) return `${name}WebhookRequest?.shape.body`;
          return `${name}${side === 'response' ? 'Response' : 'Body'}`;
        },
      });
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'api/*.ts');
    },
  },
};

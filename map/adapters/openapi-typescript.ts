import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { sentType } from './shared/sent.ts';
import { checkLiterals } from './shared/tsc.ts';

/** The option is how it reads `readOnly` and `writeOnly`; nothing else depends on it. */
const generate = async ({ run }: Session): Promise<void> => {
  await run(['openapi-typescript', 'openapi.yaml', '-o', 'api.ts', '--read-write-markers']);
};

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
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      return checkLiterals(session, questions, {
        imports: `import type { components, operations, Readable, Writable } from './api.ts';\n${sentType}`,
        typeOf: (schema) => `components['schemas']['${schema}']`,
        bodyOf: (operationId, { side, status = 200, contentType = 'application/json' }) => {
          const operation = `operations['${operationId}']`;
          return side === 'response'
            ? `Readable<${operation}['responses'][${status}]['content']['${contentType}']>`
            : `Sent<Writable<NonNullable<${operation}['requestBody']>['content']['${contentType}']>>`;
        },
      });
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'api.ts');
    },
  },
};

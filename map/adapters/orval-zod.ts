import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { pascalCase } from './shared/names.ts';
import { generateByOrval } from './shared/orval.ts';
import { judgeInProcess } from './shared/zod.ts';

const generate = (session: Session): Promise<void> => generateByOrval(session, 'zod');

export const tool: AdapterText = {
  name: 'orval (zod)',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'orval',
  version: '8.38.0',
  with: { zod: '4.6.7' },
  homepage: 'https://orval.dev/',
  tracker: 'https://github.com/orval-labs/orval/issues',
  abilities: {
    load: generate,
    validate: async (session, questions) => {
      await generate(session);
      return judgeInProcess(session, questions, {
        imports: "import * as api from './api.ts';",
        schemaOf: ({ operationId, side }) =>
          `api.${pascalCase(operationId)}${side === 'response' ? 'Response' : 'Body'}`,
      });
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'api.ts');
    },
  },
};

import type { AdapterText } from '../measure/adapter.ts';
import { findOperation } from '../measure/operation.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { pascalCase } from './shared/names.ts';
import { checkLiterals } from './shared/tsc.ts';
import { callTypeScript } from './shared/typescript-client.ts';

const generate = async ({ run }: Session): Promise<void> => {
  await run(['typed-openapi', 'openapi.yaml', '--output', 'api.ts', '--default-fetcher']);
};

export const tool: AdapterText = {
  name: 'typed-openapi',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'typed-openapi',
  version: '2.2.7',
  homepage: 'https://github.com/astahmer/typed-openapi',
  tracker: 'https://github.com/astahmer/typed-openapi/issues',
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      return checkLiterals(session, questions, {
        imports: "import type { Endpoints, Schemas } from './api.ts';",
        typeOf: (schema) => `Schemas.${schema}`,
        bodyOf: (operationId, { side, status = 200 }) => {
          const endpoint = `Endpoints.${methodOf(session, operationId)}_${pascalCase(operationId)}`;
          return side === 'response' ? `${endpoint}['responses'][${status}]` : `${endpoint}['parameters']['body']`;
        },
      });
    },
    call: async (session, questions) => {
      await generate(session);
      return callTypeScript(session, questions, {
        imports: "import { api } from './api.client.ts';",
        call: ({ method, template, path, query, header, body, baseUrl }, literal) => {
          const given = `${literal(template)}, ${literal({ path, query, header, body })}`;
          return `(api.setBaseUrl(${literal(baseUrl)}), await api.${method.toLowerCase()}(${given}))`;
        },
      });
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'api.ts');
    },
  },
};

/** Callbacks have no type, with whatever method. */
const methodOf = ({ document }: Session, operationId: string): string => {
  try {
    return findOperation(document, operationId).method.toLowerCase();
  } catch {
    return 'post';
  }
};

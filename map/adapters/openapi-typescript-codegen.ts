import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { countInPath } from './shared/names.ts';
import { checkLiterals } from './shared/tsc.ts';
import { argumentsOf, callTypeScript } from './shared/typescript-client.ts';

const generate = async ({ run }: Session): Promise<void> => {
  await run(['openapi', '--input', 'openapi.yaml', '--output', 'api']);
};

const imports = "import * as api from './api/index.ts';";

export const tool: AdapterText = {
  name: 'openapi-typescript-codegen',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'openapi-typescript-codegen',
  version: '0.31.0',
  homepage: 'https://github.com/ferdikoomen/openapi-typescript-codegen',
  tracker: 'https://github.com/ferdikoomen/openapi-typescript-codegen/issues',
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      return checkLiterals(session, questions, {
        imports,
        typeOf: (schema) => `api.${schema}`,
        bodyOf: (operationId, { side }) => {
          const method = `typeof api.DefaultService.${operationId}`;
          if (side === 'response') return `Awaited<ReturnType<${method}>>`;
          return `Parameters<${method}>[${countInPath(session.document, operationId)}]`;
        },
      });
    },
    call: async (session, questions) => {
      await generate(session);
      return callTypeScript(session, questions, {
        imports,
        // A function takes the parameters of the path, then the body, and then those of the query.
        call: ({ operationId, path = {}, body, query = {}, baseUrl }, literal) => {
          const given = argumentsOf([...Object.values(path), body, ...Object.values(query)], literal);
          return `(api.OpenAPI.BASE = ${literal(baseUrl)}, await api.DefaultService.${operationId}(${given}))`;
        },
      });
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'api/{models,services}/*.ts');
    },
  },
};

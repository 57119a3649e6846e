import type { Call } from '../measure/abilities/call.ts';
import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { camelCase, namesInPath, templateOf } from './shared/names.ts';
import { checkLiterals } from './shared/tsc.ts';
import { argumentsOf, callTypeScript } from './shared/typescript-client.ts';

const generate = async ({ run }: Session): Promise<void> => {
  await run(['swagger-typescript-api', 'generate', '-p', 'openapi.yaml', '-o', '.', '-n', 'api.ts']);
};

const imports = "import * as api from './api.ts';";

/** Functions are grouped by the first segment of their path. */
const groupOf = (template: string): string => camelCase(template.split('/')[1] ?? '');

const call =
  (configurationOf: (baseUrl: string) => object): Call =>
  async (session, questions) => {
    await generate(session);
    return callTypeScript(session, questions, {
      imports,
      // A function takes the parameters of the path, then those of the query, then the body.
      call: ({ operationId, template, path = {}, query, header: headers, body, baseUrl }, literal) => {
        const api = `new api.Api(${literal(configurationOf(baseUrl))})`;
        const given = argumentsOf([...Object.values(path), query, body, headers && { headers }], literal);
        return `(await ${api}.${groupOf(template)}.${operationId}(${given})).data`;
      },
    });
  };

export const tool: AdapterText = {
  name: 'swagger-typescript-api',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'swagger-typescript-api',
  version: '13.13.0',
  homepage: 'https://github.com/acacode/swagger-typescript-api',
  tracker: 'https://github.com/acacode/swagger-typescript-api/issues',
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      return checkLiterals(session, questions, {
        imports,
        typeOf: (schema) => `api.${schema}`,
        bodyOf: (operationId, { side }) => {
          const template = templateOf(session.document, operationId) ?? '';
          const method = `api.Api<unknown>['${groupOf(template)}']['${operationId}']`;
          return side === 'response'
            ? `Awaited<ReturnType<${method}>>['data']`
            : `Parameters<${method}>[${namesInPath(template).length}]`;
        },
      });
    },
    call: call((baseUrl) => ({ baseUrl })),
    locate: call(() => ({})),
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'api.ts');
    },
  },
};

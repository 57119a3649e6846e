import type { Call } from '../measure/abilities/call.ts';
import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { bodyOfFunction, checkLiterals } from './shared/tsc.ts';
import { argumentsOf, callTypeScript } from './shared/typescript-client.ts';

const generate = async ({ run }: Session): Promise<void> => {
  await run(['oazapfts', 'openapi.yaml', 'api.ts']);
};

const imports = "import * as api from './api.ts';";

const call =
  (before: (baseUrl: string) => string): Call =>
  async (session, questions) => {
    await generate(session);
    return callTypeScript(session, questions, {
      imports,
      // A function takes the parameters of the path, then the body, and then an object with the others.
      call: ({ operationId, path = {}, body, query, header, baseUrl }, literal) => {
        const others = query || header ? { ...query, ...header } : undefined;
        const given = argumentsOf([...Object.values(path), body, others], literal);
        return `(${before(baseUrl)}, (await api.${operationId}(${given})).data)`;
      },
    });
  };

export const tool: AdapterText = {
  name: 'oazapfts',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'oazapfts',
  version: '7.5.0',
  homepage: 'https://github.com/oazapfts/oazapfts',
  tracker: 'https://github.com/oazapfts/oazapfts/issues',
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      return checkLiterals(session, questions, {
        imports,
        typeOf: (schema) => `api.${schema}`,
        bodyOf: bodyOfFunction(session),
      });
    },
    call: call((baseUrl) => `api.defaults.baseUrl = ${JSON.stringify(baseUrl)}`),
    locate: call(() => 'undefined'),
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'api.ts');
    },
  },
};

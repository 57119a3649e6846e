import type { Call } from '../measure/abilities/call.ts';
import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { generateByOrval, generateWith } from './shared/orval.ts';
import { bodyOfFunction, checkLiterals } from './shared/tsc.ts';
import { argumentsOf, callTypeScript } from './shared/typescript-client.ts';

const generate = (session: Session): Promise<void> => generateByOrval(session, 'fetch');

/** Only a configuration can tell it to encode values in paths, and to take the server of the document. */
const generateClient = (session: Session, options: object = {}): Promise<void> =>
  generateWith(session, { target: 'api.ts', client: 'fetch', urlEncodeParameters: true, ...options });

const imports = "import * as api from './api.ts';";

const call =
  (prepare: (session: Session) => Promise<void>): Call =>
  async (session, questions) => {
    await prepare(session);
    return callTypeScript(session, questions, {
      imports,
      // A function takes the parameters of the path, then the body, those of the query, and the options of fetch.
      call: ({ operationId, path = {}, body, query, header, contentType }, literal) => {
        const headers = contentType === undefined ? header : { ...header, 'Content-Type': contentType };
        const given = argumentsOf([...Object.values(path), body, query, headers && { headers }], literal);
        return `(await api.${operationId}(${given})).data`;
      },
    });
  };

export const tool: AdapterText = {
  name: 'orval',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'orval',
  version: '8.38.0',
  homepage: 'https://orval.dev/',
  tracker: 'https://github.com/orval-labs/orval/issues',
  notes: [
    'The client is generated with `urlEncodeParameters: true`. Without it, values in paths are not percent-encoded.',
  ],
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      const bodyOf = bodyOfFunction(session);
      return checkLiterals(session, questions, {
        imports,
        typeOf: (schema) => `api.${schema}`,
        // The last argument has the options of fetch, so that a function without a body has those in its place.
        bodyOf: (operationId, question) => {
          const type = bodyOf(operationId, question);
          return question.side === 'response' ? type : `Exclude<${type}, RequestInit | undefined>`;
        },
      });
    },
    call: call((session) => generateClient(session)),
    locate: call((session) => generateClient(session, { baseUrl: { getBaseUrlFromSpecification: true } })),
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'api.ts');
    },
  },
};

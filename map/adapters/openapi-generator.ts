import type { CallQuestion } from '../measure/abilities/call.ts';
import type { AdapterText } from '../measure/adapter.ts';
import type { Session } from '../measure/session.ts';
import { textOfFiles } from './shared/code.ts';
import { generateWith, openapiGenerator, urlOfDocument } from './shared/openapi-generator.ts';
import { checkLiterals } from './shared/tsc.ts';
import { callTypeScript } from './shared/typescript-client.ts';

const generate = (session: Session, input?: string) => generateWith(session, 'typescript-fetch', [], input);

const imports = "import * as api from './client/index.ts';";

/** A method takes one object, with the parameters and the body, which has the name of its schema. */
const bodyNames = async (session: Session) => {
  const code = await textOfFiles(session, 'client/apis/*Api.ts');
  return (operationId: string): string =>
    new RegExp(`async ${operationId}RequestOpts\\([\\s\\S]*?\\n\\s+body: .*?requestParameters\\['(\\w+)'\\]`).exec(
      code,
    )?.[1] ?? 'body';
};

const call = async (
  session: Session,
  questions: readonly CallQuestion[],
  configurationOf: (baseUrl: string) => object = () => ({}),
) => {
  const bodyNameOf = await bodyNames(session);
  return callTypeScript(session, questions, {
    imports,
    call: ({ operationId, path, query, header, body, baseUrl }, literal) => {
      const given = { ...path, ...query, ...header, ...(body !== undefined && { [bodyNameOf(operationId)]: body }) };
      const configuration = `new api.Configuration(${literal(configurationOf(baseUrl))})`;
      return `await new api.DefaultApi(${configuration}).${operationId}(${literal(given)})`;
    },
  });
};

export const tool: AdapterText = {
  ...openapiGenerator,
  name: 'OpenAPI Generator (typescript-fetch)',
  language: 'TypeScript',
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      const bodyNameOf = await bodyNames(session);
      const code = await textOfFiles(session, 'client/models/*.ts');
      return checkLiterals(session, questions, {
        imports,
        // A schema with the name of a global, such as `Error`, has another name.
        typeOf: (schema) => (code.includes(`interface Model${schema} `) ? `api.Model${schema}` : `api.${schema}`),
        bodyOf: (operationId, { side }) => {
          const method = `api.DefaultApi['${operationId}']`;
          return side === 'response'
            ? `Awaited<ReturnType<${method}>>`
            : `Parameters<${method}>[0]['${bodyNameOf(operationId)}']`;
        },
      });
    },
    call: async (session, questions) => {
      await generate(session);
      return call(session, questions, (basePath) => ({ basePath }));
    },
    locate: async (session, questions) => {
      await generate(session, urlOfDocument(questions));
      return call(session, questions);
    },
    code: async (session) => {
      await generate(session);
      return textOfFiles(session, 'client/{apis,models}/*.ts');
    },
  },
};

import type { AdapterText } from '../measure/adapter.ts';
import { findOperation } from '../measure/operation.ts';
import type { Session } from '../measure/session.ts';
import { sentType } from './shared/sent.ts';
import { checkLiterals } from './shared/tsc.ts';
import { callTypeScript } from './shared/typescript-client.ts';

/** The client takes the types of a request and of a response apart by these markers. */
const generate = async ({ run }: Session): Promise<void> => {
  await run(['openapi-typescript', 'openapi.yaml', '-o', 'api.ts', '--read-write-markers']);
};

export const tool: AdapterText = {
  name: 'openapi-fetch',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: 'openapi-fetch',
  version: '0.17.0',
  with: { 'openapi-typescript': '7.13.0' },
  homepage: 'https://openapi-ts.dev/openapi-fetch/',
  tracker: 'https://github.com/openapi-ts/openapi-typescript/issues',
  usage: "createClient<paths>({ baseUrl }).GET('/plants')",
  abilities: {
    typeCheck: async (session, questions) => {
      await generate(session);
      return checkLiterals(session, questions, {
        imports: `import type { FetchResponse, RequestBodyOption } from 'openapi-fetch';\nimport type { paths } from './api.ts';\n${sentType}`,
        // The types of schemas are those of openapi-typescript.
        bodyOf: (operationId, { side, contentType = 'application/json' }) => {
          const operation = operationIn(session, operationId);
          if (operation === undefined) return undefined;
          const type = `paths['${operation.path}']['${operation.method.toLowerCase()}']`;
          return side === 'response'
            ? `FetchResponse<${type}, object, '${contentType}'>['data']`
            : `Sent<RequestBodyOption<${type}>['body']>`;
        },
      });
    },
    call: async (session, questions) => {
      await generate(session);
      return callTypeScript(session, questions, {
        imports: "import createClient from 'openapi-fetch';\nimport type { paths } from './api.ts';",
        // The caller writes the media type of a body into the headers.
        call: ({ method, template, path, query, header, body, contentType, baseUrl }, literal) => {
          const headers = contentType === undefined ? {} : { headers: { 'Content-Type': contentType } };
          const options = literal({ params: { path, query, header }, body, ...headers });
          return `(await createClient<paths>({ baseUrl: ${literal(baseUrl)} }).${method}(${literal(template)}, ${options})).data`;
        },
      });
    },
  },
};

const operationIn = ({ document }: Session, operationId: string) => {
  try {
    return findOperation({ paths: document['paths'] }, operationId);
  } catch {
    return undefined;
  }
};

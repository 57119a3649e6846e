import type { AdapterText } from '../measure/adapter.ts';
import { findOperation, valueAt } from '../measure/operation.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { camelCase, pascalCase, templateOf } from './shared/names.ts';
import { linkPackages } from './shared/packages.ts';
import { checkLiterals } from './shared/tsc.ts';
import { callTypeScript } from './shared/typescript-client.ts';

const generate = async (session: Session): Promise<void> => {
  linkPackages(session);
  await Bun.write(session.file('emptyApi.ts'), emptyApi);
  await Bun.write(session.file('config.json'), JSON.stringify(configuration));
  const { text, exitCode } = await session.run(['rtk-query-codegen-openapi', 'config.json'], { mayFail: true });
  // The message is in the text of a stack.
  if (exitCode !== 0) throw new Refusal(/\w*Error: [^\n"\\]+/.exec(text)?.[0] ?? text);
};

const configuration = {
  schemaFile: './openapi.yaml',
  apiFile: './emptyApi.ts',
  apiImport: 'emptyApi',
  outputFile: './api.ts',
  exportName: 'api',
  encodePathParams: true,
};

const emptyApi = `import { createApi, fetchBaseQuery } from '@reduxjs/toolkit/query';

export const server = { url: '' };
export const emptyApi = createApi({
  baseQuery: (args, api, options) => fetchBaseQuery({ baseUrl: server.url })(args, api, options),
  endpoints: () => ({}),
});
`;

/** The argument with a body has the name of its schema. */
const bodyName = ({ document }: Session, operationId: string): string => {
  const { pointer } = findOperation(document, operationId);
  const content = valueAt(document, `${pointer}/requestBody/content`) ?? {};
  const reference = valueAt(Object.values(content)[0], '/schema/$ref');
  return typeof reference === 'string' ? camelCase(lowerFirst(reference.split('/').at(-1) ?? '')) : 'body';
};

const lowerFirst = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

export const tool: AdapterText = {
  name: 'RTK Query codegen',
  kind: 'generator',
  language: 'TypeScript',
  registry: 'npm',
  package: '@rtk-query/codegen-openapi',
  version: '2.2.0',
  with: { '@reduxjs/toolkit': '2.15.0' },
  homepage: 'https://redux-toolkit.js.org/rtk-query/usage/code-generation',
  tracker: 'https://github.com/reduxjs/redux-toolkit/issues',
  notes: ['Measured with `encodePathParams: true`. Without it, values in paths are not percent-encoded.'],
  abilities: {
    load: generate,
    typeCheck: async (session, questions) => {
      await generate(session);
      return checkLiterals(session, questions, {
        imports: "import type * as api from './api.ts';",
        typeOf: (schema) => `api.${schema}`,
        bodyOf: (operationId, { side }) => {
          const name = `api.${pascalCase(operationId)}`;
          if (side === 'response') return `${name}ApiResponse`;
          const isInPaths = templateOf(session.document, operationId) !== undefined;
          return `${name}ApiArg${isInPaths ? `['${bodyName(session, operationId)}']` : ''}`;
        },
      });
    },
    call: async (session, questions) => {
      await generate(session);
      return callTypeScript(session, questions, {
        imports,
        call: ({ operationId, path, query, header, body, baseUrl }, literal) => {
          const given = body === undefined ? {} : { [bodyName(session, operationId)]: body };
          const argument = literal({ ...path, ...query, ...header, ...given });
          return `await dispatch(${literal(baseUrl)}, api.endpoints.${operationId}.initiate(${argument}, { forceRefetch: true }))`;
        },
      });
    },
  },
};

const imports = `import { configureStore } from '@reduxjs/toolkit';
import { api } from './api.ts';
import { server } from './emptyApi.ts';
const store = configureStore({
  reducer: { [api.reducerPath]: api.reducer },
  middleware: (defaults) => defaults().concat(api.middleware),
});
const dispatch = (url, action) => ((server.url = url), store.dispatch(action).unwrap());`;

import type { CallQuestion } from '../measure/abilities/call.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { callEach } from './shared/dynamic-client.ts';

/** What is used of its class. The package is not installed where the types are checked. */
interface Api {
  init(): Promise<unknown>;
  getClient(): Promise<Readonly<Record<string, (parameters: object, body: unknown) => Promise<{ data: unknown }>>>>;
}

const documentOf = ({ file }: Session) => Bun.file(file('openapi.json')).json();

const create = async (session: Session, definition: object | string, options: object = {}): Promise<Api> => {
  const { default: Client } = await session.import<{ default: new (options: object) => Api }>('openapi-client-axios');
  const api = new Client({ definition, ...options });
  await api.init().catch((error: unknown) => {
    throw new Refusal(`${error}`);
  });
  return api;
};

const call = async (api: Api, { operationId, path, query, header: headers, body }: CallQuestion): Promise<unknown> => {
  const client = await api.getClient();
  const operation = client[operationId];
  if (operation === undefined) throw new Error(`There is no method ${operationId}`);
  const { data } = await operation({ ...path, ...query, ...headers }, body);
  return data;
};

export const tool: AdapterText = {
  name: 'openapi-client-axios',
  kind: 'other',
  language: 'JavaScript',
  registry: 'npm',
  package: 'openapi-client-axios',
  version: '7.9.1',
  with: { axios: '1.21.1' },
  homepage: 'https://openapistack.co/docs/openapi-client-axios/intro/',
  tracker: 'https://github.com/openapistack/openapi-client-axios/issues',
  usage: 'await new OpenAPIClientAxios({ definition: document }).init()',
  abilities: {
    load: async (session) => {
      await create(session, await documentOf(session));
    },
    call: async (session, questions) =>
      callEach(questions, async (question) => {
        const axiosConfigDefaults = { baseURL: question.baseUrl };
        return call(await create(session, await documentOf(session), { axiosConfigDefaults }), question);
      }),
    locate: async (session, questions) =>
      callEach(questions, async (question) =>
        call(await create(session, `${new URL(question.baseUrl).origin}/openapi.json`), question),
      ),
  },
};

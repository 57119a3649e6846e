import type OpenAPIClientAxios from 'openapi-client-axios';
import type { CallQuestion } from '../map/abilities/call.ts';
import type { AdapterText } from '../map/adapter.ts';
import { Refusal, type Session } from '../map/session.ts';
import { callEach } from './shared/dynamic-client.ts';

const documentOf = ({ file }: Session) => Bun.file(file('openapi.json')).json();

const create = async (
  session: Session,
  definition: ConstructorParameters<typeof OpenAPIClientAxios>[0]['definition'],
  options: object = {},
) => {
  const { default: Api } = await session.import<{ default: typeof OpenAPIClientAxios }>('openapi-client-axios');
  const api = new Api({ definition, ...options });
  await api.init().catch((error) => {
    throw new Refusal(`${error}`);
  });
  return api;
};

const call = async (
  api: OpenAPIClientAxios,
  { operationId, path, query, header: headers, body }: CallQuestion,
): Promise<unknown> => {
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

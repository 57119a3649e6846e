import type { CallQuestion } from '../measure/abilities/call.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { isJson } from '../measure/exact-json.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { callEach } from './shared/dynamic-client.ts';
import { isInFiles } from './shared/files.ts';
import { valuesAt } from './shared/parser.ts';

/** It has no types of its own. */
interface Client {
  readonly spec: { servers?: object[] };
  readonly errors: readonly { readonly message: string; readonly externalValue?: string }[];
  readonly execute: (request: object) => Promise<{
    readonly headers: Readonly<Record<string, string>>;
    readonly text: string;
    readonly body: unknown;
  }>;
}

/** It follows references between files at the URL of a document. */
const createFromFiles = async (session: Session): Promise<Client> => {
  await using server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: ({ url }) => new Response(Bun.file(session.file(new URL(url).pathname.slice(1)))),
  });
  return await create(session, { url: new URL('/openapi.json', server.url).href });
};

const create = async (session: Session, options?: object): Promise<Client> => {
  if (options === undefined)
    return isInFiles(session) ? createFromFiles(session) : create(session, { spec: session.document });
  const { default: createClient } = await session.import<{ default: (options: object) => Promise<Client> }>(
    'swagger-client',
  );
  const client = await createClient(structuredClone(options)).catch((error) => {
    throw new Refusal(`${error}`);
  });
  // It looks for the file of an example, which is not beside a document in memory, and reads the document all the same.
  const error = client.errors.find(({ externalValue }) => externalValue === undefined);
  if (error) throw new Refusal(error.message);
  return client;
};

const call = async (
  client: Client,
  { operationId, path, query, header, body: requestBody, contentType: requestContentType }: CallQuestion,
): Promise<unknown> => {
  const parameters = { ...path, ...query, ...header };
  const { headers, text, body } = await client.execute({ operationId, parameters, requestBody, requestContentType });
  // It parses any other text as YAML, and keeps the text.
  return isJson(headers['content-type'] ?? 'application/json') ? body : text;
};

export const tool: AdapterText = {
  name: 'swagger-client',
  kind: 'other',
  language: 'JavaScript',
  registry: 'npm',
  package: 'swagger-client',
  version: '3.39.0',
  homepage: 'https://github.com/swagger-api/swagger-js',
  tracker: 'https://github.com/swagger-api/swagger-js/issues',
  usage: 'await SwaggerClient({ spec })',
  abilities: {
    load: async (session) => {
      await create(session);
    },
    resolve: async (session, pointers) => valuesAt((await create(session)).spec, pointers),
    call: (session, questions) =>
      callEach(questions, async (question) => {
        const client = await create(session);
        client.spec.servers = [{ url: question.baseUrl }];
        return call(client, question);
      }),
    locate: (session, questions) =>
      callEach(questions, async (question) =>
        call(await create(session, { url: `${new URL(question.baseUrl).origin}/openapi.json` }), question),
      ),
  },
};

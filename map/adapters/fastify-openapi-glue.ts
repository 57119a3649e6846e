import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { AdapterText } from '../measure/adapter.ts';
import { type Document, valueAt } from '../measure/operation.ts';
import { Refusal } from '../measure/session.ts';
import { judgeByServer } from './shared/validating-server.ts';

interface Server {
  readonly setValidatorCompiler: (
    compile: (part: { readonly schema: object; readonly httpPart?: string }) => (value: unknown) => unknown,
  ) => void;
  readonly getDefaultJsonParser: (onProto: 'error', onConstructor: 'error') => object;
  readonly addContentTypeParser: (type: RegExp, options: { readonly parseAs: 'string' }, parser: object) => void;
  readonly register: (plugin: object, options: object) => void;
  readonly listen: (place: { readonly host: string; readonly port: number }) => Promise<string>;
  readonly close: () => Promise<void>;
}

interface Reply {
  readonly code: (status: number) => { readonly send: () => unknown };
}

/** Any token is right: only the service knows which are. */
const handlersOf = (document: Document) => {
  const names = Object.keys(valueAt(document, '/components/securitySchemes') ?? {});
  const handler = async ({ headers }: { readonly headers: Readonly<Record<string, unknown>> }) => {
    if (headers['authorization'] === undefined) throw new Error('no token');
  };
  return Object.fromEntries(names.map((name) => [name, handler]));
};

export const tool: AdapterText = {
  name: 'fastify-openapi-glue',
  kind: 'validator',
  language: 'JavaScript',
  registry: 'npm',
  package: 'fastify-openapi-glue',
  version: '4.11.4',
  with: { fastify: '5.12.8', ajv: '8.20.0' },
  homepage: 'https://github.com/seriousme/fastify-openapi-glue',
  tracker: 'https://github.com/seriousme/fastify-openapi-glue/issues',
  usage:
    "fastify.addContentTypeParser(/^application\\/.+\\+json/, { parseAs: 'string' }, fastify.getDefaultJsonParser('error', 'error')).setValidatorCompiler(({ schema, httpPart }) => new Ajv2020({ coerceTypes: httpPart === 'body' ? false : 'array', strict: false }).compile(schema)).register(openapiGlue, { specification: 'openapi.yaml', operationResolver, securityHandlers })",
  abilities: {
    // Its page on OpenAPI 3.1 says to compile schemas by Ajv2020. Only parameters are texts that become other types.
    validate: async (session, questions) => {
      const { fastify: create } = await session.import<{ fastify: () => Server }>('fastify');
      const { default: glue } = await session.import<{ default: object }>('fastify-openapi-glue');
      const { Ajv2020: Ajv } = await session.import<{ Ajv2020: typeof Ajv2020 }>('ajv/dist/2020.js');
      const [exact, coercing] = ([false, 'array'] as const).map(
        (coerceTypes) => new Ajv({ coerceTypes, strict: false, logger: false }),
      );
      const server = create();
      server.setValidatorCompiler(({ schema, httpPart }) => {
        const ajv = httpPart === 'body' ? exact : coercing;
        if (ajv === undefined) throw new Error('There is no Ajv.');
        return ajv.compile(schema);
      });
      // Fastify itself reads only `application/json`.
      const parse = server.getDefaultJsonParser('error', 'error');
      server.addContentTypeParser(/^application\/.+\+json/, { parseAs: 'string' }, parse);
      server.register(glue, {
        specification: session.file('openapi.yaml'),
        securityHandlers: handlersOf(session.document),
        operationResolver: () => async (_: unknown, reply: Reply) => reply.code(204).send(),
      });
      try {
        const url = await server.listen({ host: '127.0.0.1', port: 0 }).catch((error) => {
          throw new Refusal(`${error}`);
        });
        return await judgeByServer(url, questions, { validatesResponses: false });
      } finally {
        await server.close();
      }
    },
  },
};

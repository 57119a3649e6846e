import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { AjvCustomizer, OpenAPIBackend as Backend } from 'openapi-backend';
import type { ValidateQuestion } from '../measure/abilities/validate.ts';
import type { AdapterText } from '../measure/adapter.ts';
import { isJson } from '../measure/exact-json.ts';
import { valueAt } from '../measure/operation.ts';
import { Refusal, type Session } from '../measure/session.ts';
import { serveMock } from './shared/mock.ts';

type Problems = readonly { readonly instancePath?: string; readonly message?: string }[];

interface Answer {
  readonly errors?: Problems;
  readonly status: number;
  readonly mock?: unknown;
}

/**
 * `quick` leaves out the schema of OpenAPI 3.0, by which a definition of 3.1 is refused. By itself it compiles schemas as draft-07;
 * `customizeAjv` is its option for another Ajv, here that of the dialect of OpenAPI 3.1, with the formats that the tool has added.
 */
const load = async (session: Session): Promise<Backend> => {
  const { OpenAPIBackend } = await session.import<{ OpenAPIBackend: typeof Backend }>('openapi-backend');
  const { Ajv2020: Ajv } = await session.import<{ Ajv2020: typeof Ajv2020 }>('ajv/dist/2020.js');
  const customizeAjv: AjvCustomizer = ({ formats }, options) => new Ajv({ ...options, formats });
  const backend = new OpenAPIBackend({ definition: session.file('openapi.yaml'), quick: true, customizeAjv });
  backend.register({
    validationFail: ({ validation }): Answer => ({ status: 400, errors: validation.errors ?? [] }),
    notFound: (): Answer => ({ status: 404, errors: [{ message: 'not found' }] }),
    unauthorizedHandler: (): Answer => ({ status: 401, errors: [{ message: 'unauthorized' }] }),
    notImplemented: ({ api, operation }): Answer => api.mockResponseForOperation(operation.operationId ?? ''),
  });
  // Any token is right: only the service knows which are.
  for (const name of Object.keys(valueAt(session.document, '/components/securitySchemes') ?? {}))
    backend.registerSecurityHandler(name, ({ request }) => request.headers['authorization'] !== undefined);
  try {
    return await backend.init();
  } catch (error) {
    throw new Refusal(`${error}`);
  }
};

const judgementOf = ([first]: Problems = []) => ({
  isAccepted: first === undefined,
  ...(first && { line: `${first.instancePath ?? ''} ${first.message}`.trim() }),
});

export const tool: AdapterText = {
  name: 'openapi-backend',
  kind: 'validator',
  language: 'JavaScript',
  registry: 'npm',
  package: 'openapi-backend',
  version: '5.21.2',
  isQuick: true,
  homepage: 'https://openapistack.co/',
  tracker: 'https://github.com/openapistack/openapi-backend/issues',
  usage:
    "await new OpenAPIBackend({ definition: 'openapi.yaml', quick: true, customizeAjv: ({ formats }, options) => new Ajv2020({ ...options, formats }) }).init()",
  abilities: {
    validate: async (session, questions) => {
      const backend = await load(session);
      // It compiles a schema when it first needs it.
      const refuse = (error: unknown): never => {
        throw new Refusal(`${error}`);
      };
      const judge = async (question: ValidateQuestion) => {
        const { side, operationId, method, target, headers, contentType, body, status } = question;
        if (!target.startsWith('/')) return undefined;
        if (side === 'request') {
          const type: Record<string, string> = body === undefined ? {} : { 'content-type': contentType };
          const answer: Answer = await backend.handleRequest({
            method,
            path: target,
            headers: { ...type, ...headers },
            body,
          });
          return judgementOf(answer.errors);
        }
        if (!isJson(contentType)) return undefined;
        const found = { ...question.responseHeaders, 'content-type': contentType };
        return judgementOf([
          ...(backend.validateResponse(JSON.parse(body ?? 'null'), operationId, status).errors ?? []),
          ...(backend.validateResponseHeaders(found, operationId, { statusCode: status }).errors ?? []),
        ]);
      };
      return Promise.all(questions.map((question) => judge(question).catch(refuse)));
    },
    respond: async (session) => {
      const backend = await load(session);
      return serveMock(async (request) => {
        const { pathname, search } = new URL(request.url);
        const { status, mock = null }: Answer = await backend.handleRequest({
          method: request.method,
          path: `${pathname}${search}`,
          headers: Object.fromEntries(request.headers),
          body: (await request.text()) || undefined,
        });
        return Response.json(mock, { status });
      });
    },
  },
};

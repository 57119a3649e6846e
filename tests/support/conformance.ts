/**
 * Holds every answer of the service to the document: its status, its headers, its media type and its body. `createTestApp` puts
 * each answer of every test through it.
 */
import { registerSchema, type Validator, validate } from '@hyperjump/json-schema/openapi-3-1';
import { createDocument } from '../../src/http/openapi.ts';

interface DocumentedResponse {
  readonly headers?: Readonly<Record<string, { readonly required: boolean }>>;
  readonly content?: Readonly<Record<string, object>>;
}

interface Operation {
  readonly operationId: string;
  readonly responses: Readonly<Record<string, DocumentedResponse>>;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const uri = 'https://plant-store.test/openapi.json';
const document = JSON.parse(JSON.stringify(createDocument()));
registerSchema(document, uri, document.jsonSchemaDialect);
const paths: Paths = document.paths;

/** Paths of the document, those with a parameter last, so that the first that fits is the one that is meant. */
const templates = Object.keys(paths)
  .map((template) => ({ template, form: new RegExp(`^${template.replaceAll(/\{\w+\}/g, '[^/]+')}$`) }))
  .sort((a, b) => a.template.split('{').length - b.template.split('{').length);

/** What HTTP itself or a proxy may add to any answer, and what CORS adds where it is on. */
const common = /^(content-type|vary|access-control-.*)$/;

/** Every status that the document has, as `operationId status`. */
export const documented: readonly string[] = Object.values(paths).flatMap((item) =>
  Object.values(item).flatMap(({ operationId, responses }) =>
    operationId === undefined ? [] : Object.keys(responses).map((status) => `${operationId} ${status}`),
  ),
);

/** Throws with the reason when the answer is not one that the document promises; returns `operationId status`, if it has one. */
export const conform = async (request: Request, response: Response): Promise<string | undefined> => {
  const { pathname } = new URL(request.url);
  const template = templates.find(({ form }) => form.test(pathname))?.template;
  const method = request.method.toLowerCase();
  const operation = template === undefined ? undefined : paths[template]?.[method];
  // Beside the document stand its own pages, unknown paths and methods, and HEAD and OPTIONS.
  if (template === undefined || !operation?.responses) return undefined;
  const { status } = response;
  const name = `${operation.operationId} ${status}`;
  const expected = operation.responses[status];
  if (!expected) throw new Error(`${name} is not in the document`);
  checkHeaders(name, expected, response.headers);

  const text = await response.clone().text();
  const [contentType = ''] = Object.keys(expected.content ?? {});
  if ((response.headers.get('content-type') ?? '') !== contentType) throw new Error(`${name} is not ${contentType}`);
  if (contentType === '') {
    if (text !== '') throw new Error(`${name} has a body`);
    return name;
  }
  const pointer = ['paths', template, method, 'responses', `${status}`, 'content', contentType, 'schema'];
  const isValid = await validatorOf(pointer.map(escapePointer).join('/'));
  const output = isValid(JSON.parse(text), 'BASIC');
  if (!output.valid) throw new Error(`${name} does not fit its schema: ${text} ${JSON.stringify(output)}`);
  return name;
};

const checkHeaders = (name: string, { headers = {} }: DocumentedResponse, actual: Headers): void => {
  for (const [header, { required }] of Object.entries(headers)) {
    if (required && !actual.has(header)) throw new Error(`${name} lacks ${header}`);
  }
  const known = new Set(Object.keys(headers).map((header) => header.toLowerCase()));
  for (const header of actual.keys()) {
    if (!known.has(header) && !common.test(header))
      throw new Error(`${name} has ${header}, which is not in the document`);
  }
};

const escapePointer = (token: string): string => encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'));

const validators = new Map<string, Promise<Validator>>();

const validatorOf = (pointer: string): Promise<Validator> => {
  const validator = validators.get(pointer) ?? validate(`${uri}#/${pointer}`);
  validators.set(pointer, validator);
  return validator;
};

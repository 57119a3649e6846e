/** How libraries that respond to requests, or validate them, read OpenAPI 3.1. */
import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test';
import { createMockServer } from '@scalar/mock-server';
import { OpenAPIBackend } from 'openapi-backend';

// The machine may be busy.
setDefaultTimeout(60_000);

const answer = (schema: object, headers: object = {}) => ({
  get: { responses: { '200': { description: 'answer', headers, content: { 'application/json': { schema } } } } },
});

const body = (operationId: string, content: Readonly<Record<string, object>>) => ({
  post: {
    operationId,
    requestBody: {
      required: true,
      content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
    },
    responses: { '204': { description: 'accepted' } },
  },
});

const json = (operationId: string, schema: object) => body(operationId, { 'application/json': schema });

const object = (properties: object) => ({ type: 'object', properties, required: Object.keys(properties) });

const constant = object({ type: { const: 'plant.created' } });
const error = object({ error: { type: 'integer', oneOf: [{ const: 40000 }, { const: 40001 }] } });
const closed = { allOf: [object({ id: { type: 'integer' } })], unevaluatedProperties: false };
const etag = { ETag: { required: true, schema: { type: 'string', pattern: '^"[a-z]+"$' } } };

const definition = {
  openapi: '3.1.1',
  info: { title: 'Small', version: '1' },
  paths: {
    '/constant': { ...answer(constant), ...json('constant', constant) },
    '/error': { ...answer(error), ...json('error', error) },
    '/tag': json('tag', object({ tag: { type: ['string', 'null'] } })),
    '/plant': { ...answer({ type: 'object' }, etag), ...json('plant', closed) },
    '/two': body('two', {
      'application/merge-patch+json': { type: 'object', required: ['tag'] },
      'application/json': { type: 'object', required: ['name'] },
    }),
  },
};

const copyDefinition = () => JSON.parse(JSON.stringify(definition));

describe('@scalar/mock-server', () => {
  let server: Awaited<ReturnType<typeof createMockServer>>;
  beforeAll(async () => {
    server = await createMockServer({ document: copyDefinition() });
  });

  const post = async (path: string, value: unknown, type = 'application/json'): Promise<number> => {
    const request = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(value) };
    return (await server.request(path, request)).status;
  };

  test('@scalar/mock-server: a response has the constant, and another value in a request is refused', async () => {
    expect(await (await server.request('/constant')).json()).toEqual({ type: 'plant.created' });
    expect(await post('/constant', { type: 'plant.created' })).toBe(204);
    expect(await post('/constant', { type: 'plant.deleted' })).toBe(422);
  });

  test('@scalar/mock-server: every number of an annotated enumeration is accepted, and no response has one of them', async () => {
    expect(await post('/error', { error: 40001 })).toBe(204);
    expect(await post('/error', { error: 40002 })).toBe(422);
    expect(await (await server.request('/error')).json()).toEqual({ error: 1 });
  });

  test('@scalar/mock-server: null is accepted where it is a type', async () => {
    expect(await post('/tag', { tag: null })).toBe(204);
    expect(await post('/tag', { tag: 5 })).toBe(422);
  });

  test('@scalar/mock-server: a member that unevaluatedProperties excludes is refused', async () => {
    expect(await post('/plant', { id: 1 })).toBe(204);
    expect(await post('/plant', { id: 1, secret: '' })).toBe(422);
  });

  test('@scalar/mock-server: a required header with a pattern is empty in a response', async () => {
    expect((await server.request('/plant')).headers.get('etag')).toBe('');
  });

  test('@scalar/mock-server: of two media types for one body, only application/json is validated', async () => {
    expect(await post('/two', { tag: null })).toBe(422);
    expect(await post('/two', { name: '' }, 'application/merge-patch+json')).toBe(204);
  });
});

describe('openapi-backend', () => {
  /** With `quick` the definition itself is not validated. */
  const createBackend = (quick: boolean) => {
    const operations = Object.keys(definition.paths).map((path) => path.slice(1));
    const backend = new OpenAPIBackend({ definition: copyDefinition(), quick, strict: true });
    for (const operation of operations) backend.register(operation, () => 'accepted');
    backend.register('validationFail', () => 'refused');
    return backend.init();
  };
  let backend: OpenAPIBackend;
  beforeAll(async () => {
    backend = await createBackend(true);
  });

  const post = (path: string, value: unknown, type = 'application/json'): Promise<string> =>
    backend.handleRequest({ method: 'POST', path, headers: { 'content-type': type }, body: JSON.stringify(value) });

  test('openapi-backend: an OpenAPI 3.1 definition is refused by the schema of OpenAPI 3.0', async () => {
    await expect(createBackend(false)).rejects.toThrow('Document is not valid OpenAPI');
  });

  test('openapi-backend: constants, annotated enumerations and null are validated', async () => {
    expect(await post('/constant', { type: 'plant.created' })).toBe('accepted');
    expect(await post('/constant', { type: 'plant.deleted' })).toBe('refused');
    expect(await post('/error', { error: 40001 })).toBe('accepted');
    expect(await post('/error', { error: 40002 })).toBe('refused');
    expect(await post('/tag', { tag: null })).toBe('accepted');
    expect(await post('/tag', { tag: 5 })).toBe('refused');
  });

  test('openapi-backend: a member that unevaluatedProperties excludes is accepted', async () => {
    expect(await post('/plant', { id: 1, secret: '' })).toBe('accepted');
    expect(await post('/plant', { id: '1' })).toBe('refused');
  });

  test('openapi-backend: of two media types for one body, the schema of application/json validates both', async () => {
    expect(await post('/two', { tag: null }, 'application/merge-patch+json')).toBe('refused');
    expect(await post('/two', { name: '' }, 'application/merge-patch+json')).toBe('accepted');
  });
});

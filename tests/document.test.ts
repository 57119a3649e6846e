import { beforeAll, describe, expect, test } from 'bun:test';
import { type Output, registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/openapi-3-1';
import { problems } from '../src/http/problem.ts';
import { createTestApp, type TestApp } from './support/app.ts';

/** The official schema of OpenAPI 3.1 documents, with JSON Schema 2020-12 for the schemas inside. */
const officialSchema = 'https://spec.openapis.org/oas/3.1/schema-draft-2020-12';

let app: TestApp;
let text: string;
beforeAll(async () => {
  app = await createTestApp();
  text = await (await app.send('GET', '/openapi.json', { authorization: null })).text();
});

const isValid = async (document: object): Promise<Output> =>
  validate(officialSchema, JSON.parse(JSON.stringify(document)), 'BASIC');

test('is valid by the official schema', async () => {
  expect(await isValid(JSON.parse(text))).toMatchObject({ valid: true });
});

test('the official schema would tell if it were not', async () => {
  const document = JSON.parse(text);
  delete document.paths['/plants'].post.responses[200].description;
  expect(await isValid(document)).toMatchObject({ valid: false });
});

test('is served at /swagger/json too, the same', async () => {
  const response = await app.send('GET', '/swagger/json', { authorization: null });
  expect(await response.json()).toEqual(JSON.parse(text));
});

test('says what the specification says', () => {
  const document = JSON.parse(text);
  expect(document).toMatchObject({
    openapi: '3.1.1',
    info: { title: 'OpenAPI Plant Store', version: '1.0.0', license: { name: 'MIT' } },
    security: [{ bearerAuth: [] }],
    components: {
      securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Plant: { required: ['name'], properties: { name: { type: 'string' }, tag: { type: 'string' } } },
        NewPlant: { required: ['id', 'name'], properties: { id: { type: 'integer', format: 'int64' } } },
        Error: {
          required: ['error', 'message'],
          properties: { error: { type: 'integer', format: 'int32' }, message: { type: 'string' } },
        },
      },
    },
  });
  const { requestBody, responses } = document.paths['/plants'].post;
  expect(requestBody.required).toBe(true);
  expect(Object.keys(requestBody.content)).toEqual(['application/json']);
  expect(responses[200].description).toBe('plant response');
  expect(responses[400].description).toBe('unexpected error');
});

test('lists every number that an error can have', () => {
  const { description } = JSON.parse(text).components.schemas.Error.properties.error;
  for (const { error } of Object.values(problems)) expect(description).toContain(`${error}: `);
});

test('states the limits that the service holds', () => {
  const { name, tag } = JSON.parse(text).components.schemas.NewPlant.properties;
  expect([name.maxLength, tag.maxLength]).toEqual([500, 100]);
  expect(new RegExp(name.pattern, 'u').test('a\nb')).toBe(true);
  expect(new RegExp(name.pattern, 'u').test('a\0b')).toBe(false);
});

test('carries none of the sentences that are for callers of the service', () => {
  expect(text).not.toContain('is required and must be');
});

/** Each operation, with the statuses it can give, the headers of its success and its parameters. */
test.each([
  ['/plants', 'get', '200 400 401 403 500 503', ['Link'], ['limit', 'after', 'tag']],
  ['/plants', 'post', '200 400 401 403 409 413 415 500 503', ['ETag', 'Location'], []],
  ['/plants/{id}', 'get', '200 304 400 401 403 404 500 503', ['ETag'], ['If-None-Match']],
  ['/plants/{id}', 'patch', '200 400 401 403 404 412 413 415 500 503', ['ETag'], ['If-Match']],
  ['/plants/{id}', 'delete', '204 400 401 403 404 412 500 503', [], ['If-Match']],
  ['/events', 'get', '200 400 401 403 410 500 503', ['Link'], ['limit', 'after', 'type']],
  ['/webhooks', 'get', '200 401 403 500 503', [], []],
  ['/webhooks', 'post', '201 400 401 403 409 413 415 500 503', ['Cache-Control', 'Location'], []],
  ['/webhooks/{webhookId}', 'get', '200 401 403 404 500 503', [], []],
  ['/webhooks/{webhookId}', 'delete', '204 401 403 404 500 503', [], []],
  ['/webhooks/{webhookId}/rotate', 'post', '200 401 403 404 500 503', ['Cache-Control'], []],
  ['/webhooks/{webhookId}/test', 'post', '202 401 403 404 500 503', [], []],
  ['/webhooks/{webhookId}/deliveries', 'get', '200 400 401 403 404 500 503', ['Link'], ['limit', 'after']],
  ['/webhooks/{webhookId}/deliveries/{deliveryId}/redeliver', 'post', '202 401 403 404 500 503', [], []],
  ['/token', 'get', '200 401 500 503', [], []],
])('%s %s is there with all it can answer', (path, method, statuses, headers, parameters) => {
  const operation = JSON.parse(text).paths[path][method];
  expect(Object.keys(operation.responses).join(' ')).toBe(statuses);
  const success = [200, 201, 202, 204].map((status) => operation.responses[status]).find(Boolean);
  expect(Object.keys(success.headers ?? {}).sort()).toEqual(headers);
  expect((operation.parameters ?? []).map(({ name }: { name: string }) => name)).toEqual(parameters);
  expect(operation.responses[401].headers['WWW-Authenticate']).toBeDefined();
  expect(operation.responses[503].headers['Retry-After']).toBeDefined();
});

test('has every operation that the service routes, and no other', () => {
  const documented = Object.entries<object>(JSON.parse(text).paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((key) => key !== 'parameters')
      .map((method) => `${method} ${path}`),
  );
  expect(documented.sort()).toEqual([
    'delete /plants/{id}',
    'delete /webhooks/{webhookId}',
    'get /events',
    'get /plants',
    'get /plants/{id}',
    'get /token',
    'get /webhooks',
    'get /webhooks/{webhookId}',
    'get /webhooks/{webhookId}/deliveries',
    'patch /plants/{id}',
    'post /plants',
    'post /webhooks',
    'post /webhooks/{webhookId}/deliveries/{deliveryId}/redeliver',
    'post /webhooks/{webhookId}/rotate',
    'post /webhooks/{webhookId}/test',
  ]);
});

describe('what the service answers fits what the document says of it', () => {
  test.each([
    ['POST', '/plants', '/plants', '{"id":1,"name":"n","tag":"t"}', 200],
    ['POST', '/plants', '/plants', '{"id":1}', 400],
    ['GET', '/plants/1', '/plants/{id}', undefined, 200],
    ['GET', '/plants/x', '/plants/{id}', undefined, 400],
    ['GET', '/plants/2', '/plants/{id}', undefined, 404],
  ])('%s %s as %s', async (method, path, template, body, status) => {
    const response = await app.send(method, path, {
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body }),
    });
    expect(response.status).toBe(status);
    const documented = JSON.parse(text).paths[template][method.toLowerCase()].responses[status];
    const { $ref } = documented.content[response.headers.get('content-type') ?? ''].schema;
    for (const header of Object.keys(documented.headers)) expect(response.headers.has(header)).toBe(true);

    const uri = 'https://plant-store.test/openapi';
    const { components } = JSON.parse(text);
    registerSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', $ref, components }, uri);
    try {
      const output = await validate(uri, JSON.parse(await response.text()), 'BASIC');
      expect(output).toMatchObject({ valid: true });
    } finally {
      unregisterSchema(uri);
    }
  });
});

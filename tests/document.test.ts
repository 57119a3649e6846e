import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Output, registerSchema, unregisterSchema, validate } from '@hyperjump/json-schema/openapi-3-1';
import { parse } from 'yaml';
import { type Event, toPayload } from '../src/domain/event.ts';
import { createDocument } from '../src/http/openapi.ts';
import { problems } from '../src/http/problem.ts';
import { create, createTestApp, jsonOf, type TestApp } from './support/app.ts';
import { runProgram } from './support/process.ts';

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

test.each([
  ['/swagger/json', 'application/json'],
  ['/openapi.json', 'application/json'],
  ['/openapi.yaml', 'application/yaml'],
])('is served at %s, the same, and not again to those who have it', async (path, contentType) => {
  const response = await app.send('GET', path, { authorization: null });
  expect(response.headers.get('content-type')).toBe(contentType);
  expect(parse(await response.text())).toEqual(JSON.parse(text));
  const etag = response.headers.get('etag') ?? '';
  const again = await app.send('GET', path, { authorization: null, headers: { 'if-none-match': etag } });
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
});

test('stands in openapi.yaml as it is served; `bun run openapi` renews it', async () => {
  const served = await (await app.send('GET', '/openapi.yaml', { authorization: null })).text();
  expect(readFileSync(join(import.meta.dir, '../openapi.yaml'), 'utf8')).toBe(served);
  expect(served).not.toMatch(/[&*][a-z]\d/);
});

test.each(['json', 'yaml'])('is printed by the command line, as %s', async (format) => {
  const { exitCode, stdout } = await runProgram(['openapi', '--format', format]);
  expect(exitCode).toBe(0);
  expect(parse(stdout)).toEqual(JSON.parse(text));
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
  const { oneOf } = JSON.parse(text).components.schemas.Error.properties.error;
  const numbers = Object.values(problems).map(({ error, description }) => ({ const: error, description }));
  expect(oneOf).toMatchObject(numbers);
  expect(oneOf).toHaveLength(numbers.length);
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

/** Whether the value fits the schema, which may refer to the components of the document. */
const fits = async (schema: object, value: unknown): Promise<boolean> => {
  const uri = 'https://plant-store.test/openapi';
  const { components } = JSON.parse(text);
  registerSchema({ $schema: 'https://json-schema.org/draft/2020-12/schema', ...schema, components }, uri);
  try {
    return (await validate(uri, JSON.parse(JSON.stringify(value)), 'BASIC')).valid;
  } finally {
    unregisterSchema(uri);
  }
};

describe('what is sent to webhooks', () => {
  const event = { timestamp: '2026-01-01T00:00:00.000Z', id: 1n, name: 'n', tag: 't' };
  const bodyOf = (payload: Event) => toPayload(payload);

  test.each<[Event['type'], Event]>([
    ['plant.created', { ...event, type: 'plant.created' }],
    ['plant.updated', { ...event, type: 'plant.updated' }],
    ['plant.deleted', { ...event, type: 'plant.deleted' }],
    ['webhook.test', { ...event, type: 'webhook.test' }],
  ])('%s is a webhook of the document, fits it, and fits no other', async (type, payload) => {
    const { webhooks } = JSON.parse(text);
    expect(Object.keys(webhooks)).toEqual(['plant.created', 'plant.updated', 'plant.deleted', 'webhook.test']);
    for (const [name, { post }] of Object.entries<{ post: ReturnType<typeof JSON.parse> }>(webhooks)) {
      const { schema } = post.requestBody.content['application/json'];
      expect(await fits(schema, bodyOf(payload))).toBe(name === type);
    }
    const { post } = webhooks[type];
    expect(post.security).toEqual([]);
    expect(post.parameters.map(({ name, required }: { name: string; required: boolean }) => [name, required])).toEqual([
      ['webhook-id', true],
      ['webhook-timestamp', true],
      ['webhook-signature', true],
    ]);
    expect(Object.keys(post.responses)).toEqual(['410', '429', '503', '2XX', 'default']);
  });

  test('plant.created is a NewPlant too', async () => {
    const schema = { $ref: '#/components/schemas/NewPlant' };
    {
      const { tag, ...rest } = event;
      expect(await fits(schema, bodyOf({ ...rest, tag, type: 'plant.created' }))).toBe(true);
      expect(await fits(schema, bodyOf({ ...rest, type: 'plant.created' }))).toBe(true);
      expect(await fits(schema, bodyOf({ ...rest, type: 'plant.deleted' }))).toBe(false);
    }
  });

  test('is the callback of a webhook that is created, by way of the path items that are shared', async () => {
    const { paths, components } = JSON.parse(text);
    const { callbacks } = paths['/webhooks'].post;
    expect(callbacks).toEqual({ event: { '{$request.body#/url}': { $ref: '#/components/pathItems/Event' } } });
    const { schema } = components.pathItems.Event.post.requestBody.content['application/json'];
    for (const type of ['plant.created', 'plant.deleted', 'webhook.test'] as const)
      expect(await fits(schema, bodyOf({ ...event, type }))).toBe(true);
    expect(await fits(schema, { ...event, id: 1, type: 'plant.watered' })).toBe(false);
  });
});

describe('examples hold', () => {
  interface Content {
    readonly schema: object;
    readonly examples?: Readonly<Record<string, { readonly value: object }>>;
  }
  interface Operation {
    readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
    readonly responses: Readonly<Record<string, { readonly content?: Readonly<Record<string, Content>> }>>;
  }

  const { paths }: { paths: Record<string, Record<string, Operation>> } = JSON.parse(JSON.stringify(createDocument()));
  const requests = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, { requestBody, responses }]) =>
      Object.entries(requestBody?.content ?? {}).flatMap(([contentType, { schema, examples = {} }]) =>
        Object.entries(examples).map(([name, { value }]) => ({
          path,
          method,
          contentType,
          schema,
          name,
          value,
          responses,
        })),
      ),
    ),
  );

  test('every body that is sent has some', () => {
    const withBody = Object.values(paths).flatMap((item) =>
      Object.values(item).filter(({ requestBody }) => requestBody),
    );
    expect(withBody.length).toBe(3);
    expect(new Set(requests.map(({ path, method, contentType }) => `${method} ${path} ${contentType}`)).size).toBe(4);
  });

  test.each(requests)(
    '$method $path $contentType $name',
    async ({ path, method, contentType, schema, name, value, responses }) => {
      const fresh = await createTestApp();
      await create(fresh, '{"id":1,"name":"Monstera","tag":"tropical"}');
      expect(await fits(schema, value)).toBe(true);
      const response = await fresh.send(method.toUpperCase(), path.replace('{id}', '1'), {
        headers: { 'content-type': contentType },
        body: JSON.stringify(value),
      });
      const [success = ''] = Object.keys(responses);
      expect(response.status).toBe(Number(success));
      const answer = responses[success]?.content?.['application/json'];
      const expected = answer?.examples?.[name]?.value;
      if (answer?.examples) expect(await jsonOf(response)).toEqual(expected);
    },
  );

  test('those of schemas fit them', async () => {
    const { schemas } = JSON.parse(text).components;
    let count = 0;
    for (const schema of Object.values<{ properties: Record<string, { examples?: unknown[] }> }>(schemas)) {
      for (const property of Object.values(schema.properties)) {
        for (const example of property.examples ?? []) {
          expect(await fits(property, example)).toBe(true);
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(20);
  });
});

test('links lead from what is created to operations that there are, by parameters that they take', () => {
  const { paths } = JSON.parse(text);
  const operations = new Map<string, { path: string }>();
  for (const [path, item] of Object.entries<object>(paths)) {
    for (const operation of Object.values(item)) operations.set(operation.operationId, { path });
  }
  const links = ['/plants', '/webhooks'].flatMap((path) => {
    const { responses } = paths[path].post;
    return Object.entries<{ operationId: string; parameters: object }>((responses[200] ?? responses[201]).links);
  });
  expect(links.map(([name]) => name)).toEqual([
    'getPlant',
    'updatePlant',
    'deletePlant',
    'getWebhook',
    'testWebhook',
    'listDeliveries',
    'rotateWebhook',
    'deleteWebhook',
  ]);
  for (const [name, { operationId, parameters }] of links) {
    expect(operationId).toBe(name);
    for (const parameter of Object.keys(parameters)) expect(operations.get(name)?.path).toContain(`{${parameter}}`);
  }
});

test('every operation has a name of its own', () => {
  const { paths, webhooks, components } = JSON.parse(text);
  const names = [paths, webhooks, components.pathItems].flatMap((items) =>
    Object.values<object>(items).flatMap((item) =>
      Object.values(item).flatMap((operation) =>
        typeof operation === 'object' && operation !== null && 'operationId' in operation
          ? [operation.operationId]
          : [],
      ),
    ),
  );
  expect(names).toHaveLength(20);
  expect(new Set(names).size).toBe(names.length);
});

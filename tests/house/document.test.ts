import { beforeAll, describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { validate as validate30 } from '@hyperjump/json-schema/openapi-3-0';
import { type Output, validate } from '@hyperjump/json-schema/openapi-3-1';
import { parse } from 'yaml';
import { createApp } from '../../src/app/app.ts';
import { errors } from '../../src/base/app-error.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Event, plantEventTypes, toPayload } from '../../src/events/event.ts';
import { statusOf } from '../../src/http/response.ts';
import { createLog } from '../../src/log.ts';
import { fileOfMonstera } from '../../src/pictures/sample.ts';
import { pictureOfMonstera } from '../../src/plants/sample.ts';
import { createTestApp, jsonOf, type TestApp } from '../support/app/app.ts';
import {
  document,
  fits,
  limited,
  normal,
  operations,
  operationsOf,
  type PlacedOperation,
  resolve,
} from '../support/document/document.ts';
import { failuresWith } from '../support/document/documented-response.ts';
import { runCommand } from '../support/programs/command.ts';
import { openTestStore } from '../support/store/engines.ts';

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

test('the document is valid against the official schema', async () => {
  expect(await isValid(JSON.parse(text))).toMatchObject({ valid: true });
});

test('the official schema refuses a document with a response that has no description', async () => {
  const document = JSON.parse(text);
  delete document.paths['/plants'].post.responses[200].description;
  expect(await isValid(document)).toMatchObject({ valid: false });
});

test.each([
  ['/swagger/json', 'application/json'],
  ['/openapi.json', 'application/json'],
  ['/openapi.yaml', 'application/yaml'],
])('the document is served at %s, and a client that has it gets 304', async (path, contentType) => {
  const response = await app.send('GET', path, { authorization: null });
  expect(response.headers.get('content-type')).toBe(contentType);
  expect(parse(await response.text())).toEqual(JSON.parse(text));
  const etag = response.headers.get('etag') ?? '';
  const again = await app.send('GET', path, { authorization: null, headers: { 'if-none-match': etag } });
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
});

describe('the document in OpenAPI 3.0', () => {
  const readDocument30 = async () => jsonOf(await app.send('GET', '/openapi-3.0.json', { authorization: null }));

  test('the 3.0 document is valid against the official schema of 3.0', async () => {
    const document30 = await readDocument30();
    expect(document30.openapi).toBe('3.0.3');
    const schema = 'https://spec.openapis.org/oas/3.0/schema';
    expect(await validate30(schema, document30, 'BASIC')).toMatchObject({ valid: true });
    delete document30.paths['/plants'].post.responses;
    expect(await validate30(schema, document30, 'BASIC')).toMatchObject({ valid: false });
  });

  test('openapi-3.0.json is the same as the served 3.0 document; `bun run generate` updates it', async () => {
    const file = readFileSync(join(import.meta.dir, '../../openapi/openapi-3.0.json'), 'utf8');
    expect(file).toBe(`${JSON.stringify(await readDocument30(), null, 2)}\n`);
  });

  test('the 3.0 document has the same operations, responses and schemas', async () => {
    const answersOf = (some: readonly PlacedOperation[]): string[] =>
      some.map(({ operationId, responses }) => `${operationId} ${Object.keys(responses)}`);
    const { paths, components } = await readDocument30();
    expect(answersOf(operationsOf(paths))).toEqual(answersOf(operations));
    expect(Object.keys(components.schemas)).toEqual(Object.keys(document.components.schemas));
  });

  test('the 3.0 document lists the numbers of errors as an enum, and describes each', async () => {
    const { components } = await readDocument30();
    const { enum: numbers, oneOf, description } = components.schemas.Error.properties.error;
    expect(numbers).toEqual(Object.values(errors).map(({ number }) => number));
    expect(oneOf).toBeUndefined();
    for (const [name, { number, meaning }] of Object.entries(errors))
      expect(description).toContain(`\n- ${number}, \`${name}\`: ${meaning}`);
  });

  test('each body of a request has one media type in the 3.0 document', async () => {
    const { paths } = await readDocument30();
    const bodies = operationsOf(paths).flatMap(({ requestBody }) => (requestBody ? [requestBody] : []));
    const [mediaTypes, others] = [
      bodies.flatMap(({ content }) => Object.keys(content)),
      ['application/x-ndjson', 'multipart/form-data'],
    ];
    expect(mediaTypes.filter((one) => one !== 'application/json')).toEqual(others);
    expect(mediaTypes).toHaveLength(operations.filter(({ requestBody }) => requestBody).length);
  });
});

test('openapi.yaml is the same as the served document; `bun run generate` updates it', async () => {
  const served = await (await app.send('GET', '/openapi.yaml', { authorization: null })).text();
  expect(readFileSync(join(import.meta.dir, '../../openapi/openapi.yaml'), 'utf8')).toBe(served);
  // It has no anchors, and no unquoted time, which a parser of YAML 1.1 would read as a timestamp.
  expect(served).not.toMatch(/[&*][a-z]\d/);
  expect(served).not.toMatch(/(?:[-:,] |\[)\d{4}-\d\d-\d\dT/);
});

test.each(['json', 'yaml'])('the command line prints the document as %s', async (format) => {
  const { exitCode, stdout } = await runCommand(['openapi', '--format', format]);
  expect(exitCode).toBe(0);
  expect(parse(stdout)).toEqual(JSON.parse(text));
});

test('the file that the workflows upload is the picture of the sample', () => {
  expect(readFileSync(join(import.meta.dir, '../../openapi/monstera.png')).equals(fileOfMonstera.content)).toBe(true);
});

test('the document matches the specification', () => {
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

test('the document lists every number that an error can have', () => {
  const { oneOf } = JSON.parse(text).components.schemas.Error.properties.error;
  const numbers = Object.values(errors).map(({ number, meaning }) => ({
    const: number,
    description: expect.stringContaining(meaning),
  }));
  expect(oneOf).toMatchObject(numbers);
  expect(oneOf).toHaveLength(numbers.length);
});

test('the number of each error begins with its status', () => {
  for (const [code, { number }] of Object.entries(errors))
    expect(`${number}`).toStartWith(`${statusOf(code as keyof typeof errors)}`);
});

test('the document states the limits that the service enforces', () => {
  const { name, tag } = JSON.parse(text).components.schemas.NewPlant.properties;
  expect([name.maxLength, tag.maxLength]).toEqual([500, 100]);
  expect(new RegExp(name.pattern, 'u').test('a\nb')).toBe(true);
  expect(new RegExp(name.pattern, 'u').test('a\0b')).toBe(false);
});

test('the document does not contain the sentences for invalid values', () => {
  expect(text).not.toContain('"error":"');
});

/** The same operations with and without a rate limit. */
const variants = [normal, limited].flatMap((described) =>
  described.operations.map((operation) => ({
    ...operation,
    ...described,
    variant: described === limited ? 'with a rate limit' : 'without a rate limit',
    ofLimit: described === limited ? ['RateLimit', 'RateLimit-Policy'] : [],
  })),
);

test.each(variants)(
  '$operationId $variant has the responses that its token, scope, path and body require, with their headers',
  ({ path, requestBody, security = document.security, responses, resolve, ofLimit }) => {
    const [requirement] = security;
    /** The headers of a response, except those of every response, and those of every response to a valid token. */
    const headersOf = (status: string, response: PlacedOperation['responses'][string] | undefined): string[] => {
      const names = Object.keys((response && resolve(response).headers) ?? {});
      const common = ['X-Request-Id', ...(status === '401' ? [] : ofLimit)];
      expect(names).toEqual(expect.arrayContaining(common));
      return names.filter((name) => !common.includes(name)).sort();
    };
    expect('429' in responses).toBe(ofLimit.length > 0);
    const required = [
      ...['400', '401', '500', '503'],
      ...(requirement.bearerAuth.length > 0 ? ['403'] : []),
      ...(path.includes('{') ? ['404'] : []),
      ...(requestBody ? ['413', '415'] : []),
    ];
    expect(Object.keys(responses)).toEqual(expect.arrayContaining(required));
    expect(Object.keys(responses).filter((status) => status < '400')).not.toBeEmpty();
    expect('403' in responses).toBe(required.includes('403'));
    for (const status of Object.keys(responses)) headersOf(status, responses[status]);
    expect(headersOf('401', responses['401'])).toEqual(['Cache-Control', 'WWW-Authenticate']);
    if (ofLimit.length > 0) expect(headersOf('429', responses['429'])).toEqual(['Cache-Control', 'Retry-After']);
    expect(headersOf('503', responses['503'])).toEqual(['Cache-Control', 'Retry-After']);
  },
);

test.each([normal, limited])(
  'every error response has each number of its operation once, with its meaning',
  (described) => {
    let count = 0;
    for (const { operationId, responses } of described.operations) {
      for (const [status, response] of Object.entries(responses).filter(([status]) => status >= '400')) {
        const ofStatus = failuresWith(operationId, Number(status), described === limited);
        const codes = [...new Set(ofStatus.map(({ code }) => code))].sort();
        const { description, content } = described.resolve(response);
        const { examples = {} } = content?.['application/json'] ?? {};
        expect([operationId, status, Object.keys(examples).sort()]).toEqual([operationId, status, codes]);
        for (const code of codes) {
          const { number, meaning } = errors[code];
          const { message, details } = ofStatus.find((failure) => failure.code === code) ?? {};
          expect(examples[code]?.value).toEqual({ error: number, message, details });
          if (description !== 'unexpected error') expect(description).toContain(`${number}: ${meaning}`);
          else expect(examples[code]?.summary).toBe(meaning);
          count += 1;
        }
      }
    }
    expect(count).toBeGreaterThan(100);
  },
);

test('the document has the operations that the service routes, and no other', async () => {
  const { app } = createApp({
    store: await openTestStore(),
    config: readConfig({}, {}),
    log: createLog('silent'),
  });
  const routed = app.routes
    .filter(({ method, path }) => method !== 'ALL' && !undocumented.test(path))
    .map(({ method, path }) => `${method.toLowerCase()} ${path.replaceAll(/:(\w+)/g, '{$1}')}`);
  expect(routed.length).toBeGreaterThan(10);
  expect(routed.sort()).toEqual(operations.map(({ method, path }) => `${method} ${path}`).sort());
});

/** Paths that are not in the document, and that require no token. */
const undocumented =
  /^\/(|healthz|readyz|openapi\.json|openapi-3\.[02]\.json|openapi\.yaml|swagger|swagger\/json|swagger-assets\/.*|console|lessons|lesson\.yaml|arazzo\.yaml|(?:console|lessons)-assets\/.*|(swagger|lessons|console|inbox)\/)$/;

describe('the messages to webhooks', () => {
  const event = { timestamp: '2026-01-01T00:00:00.000Z', id: 1n, name: 'n', tag: 't' };

  test.each<[Event['type'], Event]>([
    ['plant.created', { ...event, type: 'plant.created' }],
    ['plant.updated', { ...event, type: 'plant.updated' }],
    ['plant.deleted', { ...event, type: 'plant.deleted' }],
    ['plant.picture.updated', { ...event, type: 'plant.picture.updated', picture: pictureOfMonstera }],
    ['plant.picture.deleted', { ...event, type: 'plant.picture.deleted', picture: pictureOfMonstera }],
    ['webhook.test', { ...event, type: 'webhook.test', number: 1n }],
  ])('a %s message matches its webhook in the document, and no other', async (type, payload) => {
    const { webhooks } = JSON.parse(text);
    expect(Object.keys(webhooks)).toEqual([...plantEventTypes, 'webhook.test']);
    for (const [name, { post }] of Object.entries<{ post: ReturnType<typeof JSON.parse> }>(webhooks)) {
      const { schema } = post.requestBody.content['application/json'];
      expect(await fits(schema, toPayload(payload))).toBe(name === type);
    }
    const { post } = webhooks[type];
    expect(post.security).toEqual([]);
    const parameters = post.parameters.map(resolve);
    expect(parameters.map(({ name, required }: { name: string; required?: boolean }) => [name, required])).toEqual([
      ['webhook-id', true],
      ['webhook-timestamp', true],
      ['webhook-signature', true],
      ['traceparent', undefined],
    ]);
    expect(Object.keys(post.responses)).toEqual(['410', '429', '503', '2XX', 'default']);
  });

  test('a plant.created message is also a NewPlant', async () => {
    const schema = { $ref: '#/components/schemas/NewPlant' };
    const { tag, ...rest } = event;
    expect(await fits(schema, toPayload({ ...rest, tag, type: 'plant.created' }))).toBe(true);
    expect(await fits(schema, toPayload({ ...rest, type: 'plant.created' }))).toBe(true);
    expect(await fits(schema, toPayload({ ...rest, type: 'plant.deleted' }))).toBe(false);
  });

  test('every message matches the callback of a new webhook, which is a shared path item', async () => {
    const { paths, components } = JSON.parse(text);
    const { callbacks } = paths['/webhooks'].post;
    expect(callbacks).toEqual({ event: { '{$request.body#/url}': { $ref: '#/components/pathItems/Event' } } });
    const { schema } = components.pathItems.Event.post.requestBody.content['application/json'];
    for (const type of ['plant.created', 'plant.deleted'] as const)
      expect(await fits(schema, toPayload({ ...event, type }))).toBe(true);
    expect(await fits(schema, toPayload({ ...event, type: 'webhook.test', number: 1n }))).toBe(true);
    expect(await fits(schema, { ...event, id: 1, type: 'plant.watered' })).toBe(false);
  });
});

test('every link leads to an operation in the document, with existing parameters', () => {
  const links = operations.flatMap(({ responses }) =>
    Object.values(responses).flatMap((response) => Object.entries(resolve(response).links ?? {})),
  );
  expect(links).not.toBeEmpty();
  for (const [name, { operationId, parameters }] of links) {
    expect(operationId).toBe(name);
    const target = operations.find((operation) => operation.operationId === operationId);
    for (const parameter of Object.keys(parameters)) expect(target?.path).toContain(`{${parameter}}`);
  }
});

test('every operation has a unique operationId, a summary and a description', () => {
  const { paths, webhooks, components } = document;
  const all = [paths, webhooks, components.pathItems].flatMap(operationsOf);
  expect(all.length).toBeGreaterThan(operations.length);
  expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
  for (const { summary, description } of all) expect([summary, description]).not.toContain(undefined);
});

test('the document has no keyword that only OpenAPI 3.0 has', () => {
  const remnants: string[] = [];
  const look = (node: unknown, path: string): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [key, value] of Object.entries(node)) {
      // The values of examples are data.
      if (key === 'value') continue;
      const isRemnant =
        key === 'nullable' || key === 'example' || (/^exclusive/.test(key) && typeof value === 'boolean');
      if (isRemnant) remnants.push(`${path}/${key}`);
      look(value, `${path}/${key}`);
    }
  };
  look(document, '');
  look({ type: 'string', nullable: true }, 'a schema of 3.0');
  expect(remnants).toEqual(['a schema of 3.0/nullable']);
});

const referencesIn = (json: string): string[] =>
  [...new Set([...json.matchAll(/"#\/components\/([^"]+)"/g)].map(([, name = '']) => name))].sort();

const componentsOf = ({ components }: typeof document): string[] =>
  Object.entries<object>(components)
    .filter(([kind]) => kind !== 'securitySchemes')
    .flatMap(([kind, entries]) => Object.keys(entries).map((name) => `${kind}/${name}`))
    .sort();

test('every reference leads to a component, and every component is referred to', () => {
  const references = referencesIn(text);
  for (const name of references) expect(resolve({ $ref: `#/components/${name}` })).toBeDefined();
  expect(references).toEqual(componentsOf(document));
});

describe('responses have no undocumented members', () => {
  const plant = { id: 1, name: 'n', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  const webhook = { id: 'wh_1', url: 'https://example.com/', events: ['plant.created'], createdAt: plant.createdAt };

  test.each([
    ['PlantRecord', plant, 'colour'],
    ['Webhook', { ...webhook, enabled: true }, 'secret'],
    ['Delivery', { id: 'evt_1_a', webhookId: 'wh_1', type: 'plant.deleted', state: 'pending', attempts: [] }, 'url'],
    ['Token', { name: 't', scopes: [] }, 'digest'],
    ['Error', { error: 40000, message: 'm' }, 'stack'],
  ])('the schema %s accepts no other members', async (name, value, other) => {
    const schema = { $ref: `#/components/schemas/${name}` };
    expect(await fits(schema, value)).toBe(true);
    expect(await fits(schema, { ...value, [other]: 'x' })).toBe(false);
  });
});

test('a reference to a shared schema or parameter has its own description', () => {
  const { schemas } = document.components;
  expect(schemas.Event.properties.eventId).toEqual({
    $ref: '#/components/schemas/EventId',
    description: 'Identifier of the event, and the cursor for the events after it',
  });
  const limits = operations.flatMap(({ path, parameters = [] }) =>
    parameters.flatMap((parameter) =>
      '$ref' in parameter && parameter.$ref.endsWith('/limit') && 'description' in parameter
        ? [{ items: path.split('/').at(-1), description: `${parameter.description}` }]
        : [],
    ),
  );
  expect(limits.length).toBeGreaterThan(1);
  // Many viewers ignore it, so the description of the target must be true there too.
  for (const { items, description } of limits)
    expect(description).toStartWith(`Maximum number of ${items} in the page, `);
  expect(document.components.parameters.limit.description).toStartWith('Maximum number of items in the page, ');
});

test('the document describes every tag of an operation, and no other', () => {
  const { tags, paths, webhooks, components } = document;
  const used = [paths, webhooks, components.pathItems].flatMap(operationsOf).flatMap((operation) => operation.tags);
  expect(tags.map(({ name }: { name: string }) => name).sort()).toEqual([...new Set(used)].sort());
});

test('a member that only the service sets is read-only, and the secret is write-only', () => {
  const { PlantRecord, WebhookState, NewWebhook } = document.components.schemas;
  const readOnly = [PlantRecord.allOf[1], WebhookState].flatMap(({ properties }) =>
    Object.values<{ readOnly?: boolean }>(properties).map((member) => member.readOnly),
  );
  expect(readOnly).toEqual(Array.from({ length: 9 }, () => true));
  expect(NewWebhook.properties.secret.writeOnly).toBe(true);
});

describe('the document of a service with a rate limit', () => {
  const ofLimit = ['RateLimit', 'RateLimit-Policy'];
  const read = async (rate: Record<string, string>, path: string) =>
    jsonOf(await (await createTestApp({ config: readConfig({}, rate) })).send('GET', path));

  /** Every member with one of these names, at any depth, is removed. */
  const without = (names: readonly string[], node: unknown): unknown => {
    if (typeof node !== 'object' || node === null) return node;
    if (Array.isArray(node)) return node.map((item) => without(names, item));
    const members = Object.entries(node).filter(([name]) => !names.includes(name));
    return Object.fromEntries(members.map(([name, member]) => [name, without(names, member)]));
  };

  test.each(['/openapi.json', '/openapi-3.0.json', '/openapi-3.2.json'])(
    'at %s, it is the document of another service with 429 and the headers of the limit',
    async (path) => {
      const withLimit = await read({ RATE_LIMIT: '100/1s' }, path);
      const others = await read({}, path);
      expect(Object.keys(withLimit.components.headers)).toEqual(expect.arrayContaining(ofLimit));
      expect(JSON.stringify(others)).not.toContain('"RateLimit');
      const { webhooks, components, ...rest } = withLimit;
      const { pathItems, ...parts } = components;
      expect(without([...ofLimit, 'TooManyRequests', '429'], { ...rest, components: parts })).toEqual(
        without(['429'], {
          ...others,
          webhooks: undefined,
          components: { ...others.components, pathItems: undefined },
        }),
      );
    },
  );

  test('it is valid against the official schemas, and each of its components is referred to', async () => {
    const withLimit = await read({ RATE_LIMIT: '100/1s' }, '/openapi.json');
    expect(await isValid(withLimit)).toMatchObject({ valid: true });
    const schema = 'https://spec.openapis.org/oas/3.0/schema';
    const document30 = await read({ RATE_LIMIT: '100/1s' }, '/openapi-3.0.json');
    expect(await validate30(schema, document30, 'BASIC')).toMatchObject({ valid: true });
    expect(componentsOf(withLimit)).toEqual(referencesIn(JSON.stringify(withLimit)));
  });
});

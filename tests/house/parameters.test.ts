/** Every parameter in the document has an example that other tools read, and that Scalar does not send by default. */
import { describe, expect, test } from 'bun:test';
import { operations } from '../../src/app/app.ts';
import { isSignedWith } from '../../src/base/signature.ts';
import { createDocument } from '../../src/document/document.ts';
import { toOpenApi30 } from '../../src/document/openapi-3.0.ts';
import type { Operation } from '../../src/http/operation.ts';
import { MessageHeaders } from '../../src/webhooks/message-headers.ts';
import { secret } from '../../src/webhooks/sample.ts';
import { createTestApp } from '../support/app/app.ts';
import { document, fits, operationsOf, type PlacedOperation, resolve } from '../support/document/document.ts';

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: object;
  readonly examples?: Readonly<Record<string, { readonly value: unknown; readonly 'x-disabled'?: boolean }>>;
}

const isParameter = (node: object): node is Parameter =>
  'in' in node && 'schema' in node && ['path', 'query', 'header', 'cookie'].includes(`${node.in}`);

const parametersIn = (node: unknown): Parameter[] => {
  if (typeof node !== 'object' || node === null) return [];
  return isParameter(node) ? [node] : Object.values(node).flatMap(parametersIn);
};

const parameters = parametersIn(document);
const ofCallback = parametersIn(document.components.pathItems);

/** The parameters of an operation and of its path. */
const parametersOf = ({ path, parameters: own = [] }: PlacedOperation): Parameter[] =>
  [...(document.paths[path].parameters ?? []), ...own].flatMap((parameter) => parametersIn(resolve(parameter)));

/** A version that the client has, and another one. Each message has its own id, time and signature; the callback shows one message. */
const exampleCounts: Readonly<Record<string, number>> = {
  'If-None-Match': 2,
  'webhook-id': 6,
  'webhook-timestamp': 5,
  'webhook-signature': 6,
};

test('the parameters of operations, messages and components are found', () => {
  const declared = Object.values<Operation>(operations).flatMap(({ parameters: { path, query, headers } = {} }) => [
    ...Object.keys(path?.properties ?? {}).map((name) => `path ${name}`),
    ...Object.keys(query?.properties ?? {}).map((name) => `query ${name}`),
    ...Object.keys(headers?.properties ?? {}).map((name) => `header ${name}`),
  ]);
  const ofMessages = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'traceparent'];
  expect(new Set(parameters.map((parameter) => `${parameter.in} ${parameter.name}`))).toEqual(
    new Set([...declared, ...ofMessages.map((name) => `header ${name}`)]),
  );
  for (const { parameters: found } of [document.webhooks, document.components.pathItems].flatMap(operationsOf))
    expect(found).toHaveLength(4);
});

test.each(parameters.map((parameter) => [`${parameter.in} ${parameter.name}`, parameter] as const))(
  'the parameter in %s has one value as its example, apart from some headers, and each is valid against its schema',
  async (_name, parameter) => {
    const values = new Set(Object.values(parameter.examples ?? {}).map(({ value }) => value));
    expect(values.size).toBe(ofCallback.includes(parameter) ? 1 : (exampleCounts[parameter.name] ?? 1));
    for (const value of values) expect(await fits(parameter.schema, value)).toBe(true);
  },
);

test('each example of a body has an example of the same name in every parameter of its operation', () => {
  const bodies = operationsOf(document.paths).filter(({ requestBody }) => requestBody);
  const named = bodies.flatMap((operation) =>
    Object.values(operation.requestBody?.content ?? {}).flatMap(({ examples }) =>
      (examples ? parametersOf(operation) : []).map((parameter) => [
        Object.keys(parameter.examples ?? {}),
        ['demo', ...Object.keys(examples ?? {})],
      ]),
    ),
  );
  expect(named).not.toBeEmpty();
  for (const [names, expected] of named) expect(names).toEqual(expected);
});

test('only the copy that Scalar loads has `x-disabled`, at the examples of optional parameters, which it does not send', async () => {
  expect(JSON.stringify(document)).not.toContain('x-disabled');
  const app = await createTestApp();
  const served = await (await app.send('GET', '/swagger-assets/openapi.json', { authorization: null })).text();
  const published = await (await app.send('GET', '/openapi.json', { authorization: null })).text();
  const parts = served.split(',"x-disabled":true');
  expect(parts.join('')).toBe(published);
  const optional = parametersIn(JSON.parse(served)).filter(({ required }) => required !== true);
  const examples = optional.flatMap((parameter) => Object.values(parameter.examples ?? {}));
  expect(examples.filter((example) => example['x-disabled'] !== true)).toEqual([]);
  expect(parts).toHaveLength(1 + examples.length);
  expect(examples.length).toBeGreaterThan(8);
});

test('no parameter has a second example in its schema', () => {
  for (const { schema } of parameters) expect(schema).not.toHaveProperty('examples');
});

test('the 3.0 document has the same examples of parameters', () => {
  const { paths, components } = document;
  // Only webhooks refer to the others.
  const sharedByOperations = parametersIn(components.parameters).filter(
    ({ name }) => !(name in MessageHeaders.properties),
  );
  const document30 = JSON.parse(JSON.stringify(toOpenApi30(createDocument(operations))));
  const examplesIn = (parts: object) => parametersIn(parts).map(({ name, examples }) => ({ name, examples }));
  expect(examplesIn([document30.paths, document30.components.parameters])).toEqual(
    expect.arrayContaining(examplesIn([paths, components.pathItems, sharedByOperations])),
  );
});

describe('the messages to webhooks', () => {
  const messages = [document.webhooks, document.components.pathItems].flatMap(operationsOf);

  const examples = messages.flatMap(({ operationId, parameters = [], requestBody }) =>
    Object.entries(requestBody?.content['application/json']?.examples ?? {}).map(
      ([name, { value }]) =>
        [operationId, name, value, parameters.flatMap((one) => parametersIn(resolve(one)))] as const,
    ),
  );

  test.each(examples)('of %s, the example %s has headers with this name, and their signature', (_, name, value, of) => {
    const headers = Object.fromEntries(of.map((one) => [one.name, one.examples?.[name]?.value]));
    const message = {
      id: `${headers['webhook-id']}`,
      timestamp: Number(headers['webhook-timestamp']),
      body: JSON.stringify(value),
    };
    expect(isSignedWith(secret, `${headers['webhook-signature']}`, message)).toBe(true);
    expect(isSignedWith(secret, `${headers['webhook-signature']}`, { ...message, timestamp: 0 })).toBe(false);
  });

  test('each message has an example, and the callback has one of them', () => {
    expect(examples.map(([operationId, name]) => `${operationId} ${name}`)).toEqual([
      ...['onPlantCreated created', 'onPlantUpdated updated', 'onPlantDeleted deleted'],
      ...['onPlantPictureUpdated pictured', 'onPlantPictureDeleted unpictured', 'onWebhookTest test'],
      'onEvent created',
    ]);
  });

  test('the secret of the signatures is the example of a new webhook', () => {
    expect(document.components.schemas.NewWebhook.properties.secret.examples).toEqual([secret]);
  });
});

describe('the patterns', () => {
  const patternsIn = (node: unknown): string[] => {
    if (typeof node !== 'object' || node === null) return [];
    const own = 'pattern' in node && typeof node.pattern === 'string' ? [node.pattern] : [];
    return [...own, ...Object.values(node).flatMap(patternsIn)];
  };

  // Specmatic reads slashes at both ends as delimiters, and supports anchors only at the ends.
  test('no pattern has an escaped slash, a slash at an end, or an anchor elsewhere', () => {
    const patterns = patternsIn(document);
    expect(patterns.length).toBeGreaterThan(10);
    for (const pattern of patterns) {
      expect(pattern).not.toMatch(/\\\/|^\^?\/|\/\$?$/);
      expect(pattern.replaceAll('[^', '[')).toMatch(/^\^[^^$]*\$$/);
    }
  });

  test.each(['If-Match', 'If-None-Match'])(
    'the pattern of %s allows spaces and tabs in a list, and no other white space',
    (name) => {
      const [{ schema } = { schema: {} }] = parameters.filter((parameter) => parameter.name === name);
      const [pattern = ''] = patternsIn(schema);
      const inList = (text: string): boolean => new RegExp(pattern, 'u').test(`"a",${text}"b"`);
      expect([' ', '\t', ' \t ', ', '].map(inList)).toEqual([true, true, true, true]);
      expect(['\r', '\n', '\f', '\v', '\u00A0', '\uFEFF'].map(inList)).toEqual(Array.from({ length: 6 }, () => false));
    },
  );

  test('the pattern of Location matches only a relative path of a plant or a webhook', () => {
    const form = new RegExp(document.components.headers.Location.schema.pattern, 'u');
    for (const path of ['plants/1', 'plants/-9223372036854775808', 'webhooks/wh_0aB1cD2eF3gH4i'])
      expect(path).toMatch(form);
    for (const path of [
      '',
      '/',
      'plants/',
      'plants/a',
      'plants/1/',
      'webhooks/1',
      '/plants/1',
      'x/plants/1',
      'plants/1 webhooks/wh_1',
    ])
      expect(path).not.toMatch(form);
  });
});

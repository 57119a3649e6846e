/** The members of each object of the documents are in the order of the tables of the OpenAPI Specification, and those of schemas in one order. */
import { expect, test } from 'bun:test';
import { toLesson } from '../../docs/pages/lesson-document.ts';
import { operations } from '../../src/app/app.ts';
import { createDocument } from '../../src/document/document.ts';
import { toOpenApi30 } from '../../src/document/openapi-3.0.ts';
import { toOpenApi32 } from '../../src/document/openapi-3.2.ts';

type Field = readonly [name: string, of?: string];

/** `name`, `name: Kind` for an object of this kind, `name: [Kind]` for a list and `name: {Kind}` for a map of them. */
const kind = (...fields: readonly string[]): readonly Field[] =>
  fields.map((field) => {
    const [name = '', of] = field.split(': ');
    return of === undefined ? [name] : [name, of];
  });

/** By the tables of OpenAPI 3.2.0, which have those of 3.1.1 and 3.0.3. */
const kinds: Readonly<Record<string, readonly Field[]>> = {
  Document: kind(
    ...['openapi', 'info: Info', 'jsonSchemaDialect', 'servers: [Server]', 'paths: {PathItem}', 'webhooks: {PathItem}'],
    ...['components: Components', 'security', 'tags: [Tag]', 'externalDocs: ExternalDocs'],
  ),
  Info: kind('title', 'summary', 'description', 'contact: Contact', 'license: License', 'version'),
  Contact: kind('name'),
  License: kind('name', 'identifier', 'url'),
  Server: kind('url', 'description'),
  Components: kind(
    ...['schemas: {Schema}', 'responses: {Response}', 'parameters: {Parameter}', 'headers: {Header}'],
    ...['securitySchemes: {SecurityScheme}', 'pathItems: {PathItem}', 'mediaTypes: {MediaType}'],
  ),
  PathItem: kind(
    ...[
      '$ref',
      'get: Operation',
      'put: Operation',
      'post: Operation',
      'delete: Operation',
      'patch: Operation',
      'parameters: [Parameter]',
    ],
  ),
  Operation: kind(
    ...['tags', 'summary', 'description', 'externalDocs: ExternalDocs', 'operationId', 'parameters: [Parameter]'],
    ...['requestBody: RequestBody', 'responses: {Response}', 'callbacks: {Callback}', 'security'],
  ),
  ExternalDocs: kind('description', 'url'),
  Parameter: kind('$ref', 'name', 'in', 'description', 'required', 'schema: Schema', 'examples: {Example}'),
  RequestBody: kind('description', 'content: {MediaType}', 'required'),
  MediaType: kind('$ref', 'schema: Schema', 'itemSchema: Schema', 'examples: {Example}', 'encoding: {Encoding}'),
  Encoding: kind('contentType'),
  Response: kind('$ref', 'summary', 'description', 'headers: {Header}', 'content: {MediaType}', 'links: {Link}'),
  Example: kind('summary', 'description', 'dataValue', 'serializedValue', 'value'),
  Link: kind('operationId', 'parameters', 'description'),
  Header: kind('$ref', 'description', 'required', 'schema: Schema'),
  Tag: kind('name', 'summary', 'description', 'externalDocs: ExternalDocs', 'parent', 'kind'),
  SecurityScheme: kind('type', 'description', 'scheme'),
  Schema: kind(
    ...[
      '$ref',
      'title',
      'description',
      'type',
      'format',
      'contentMediaType',
      'contentEncoding',
      'contentSchema: Schema',
      'const',
      'enum',
    ],
    ...['default', 'minimum', 'maximum', 'minLength', 'maxLength', 'pattern', 'items: Schema', 'minItems', 'maxItems'],
    ...[
      'uniqueItems',
      'required',
      'properties: {Schema}',
      'additionalProperties',
      'allOf: [Schema]',
      'oneOf: [Schema]',
    ],
    ...['discriminator', 'unevaluatedProperties', 'readOnly', 'writeOnly', 'examples'],
  ),
};

/** A callback is a map of path items. */
const kindOf = (of: string): readonly Field[] => kinds[of] ?? [];

/** The objects whose members are in another order or unknown, as `path: members`. */
const disordered = (node: unknown, of: string, path = ''): string[] => {
  if (typeof node !== 'object' || node === null) return [];
  const [, kindInList] = /^\[(\w+)\]$/.exec(of) ?? [];
  const [, kindInMap] = of === 'Callback' ? [of, 'PathItem'] : (/^\{(\w+)\}$/.exec(of) ?? []);
  const kindInside = kindInList ?? kindInMap;
  if (kindInside !== undefined)
    return Object.entries(node).flatMap(([name, member]) => disordered(member, kindInside, `${path}/${name}`));
  const fields = kindOf(of);
  const names = Object.keys(node);
  const expected = fields.flatMap(([name]) => (names.includes(name) ? [name] : []));
  const own = names.join() === expected.join() ? [] : [`${path}: ${names}`];
  const inside = fields.flatMap(([name, kindOfField]) =>
    kindOfField === undefined ? [] : disordered(Object(node)[name], kindOfField, `${path}/${name}`),
  );
  return [...own, ...inside];
};

const document = createDocument(operations);

test.each([
  ['3.1', document],
  ['3.2', toOpenApi32(document)],
  ['short 3.1', toLesson(document)],
])('every object of the %s document has its members in the order of the specification', (_version, text) => {
  expect(disordered(JSON.parse(JSON.stringify(text)), 'Document')).toEqual([]);
});

test('every object of the 3.0 document has its members in the order of the specification, apart from schemas', () => {
  const document30 = JSON.parse(JSON.stringify(toOpenApi30(document)));
  expect(disordered(document30, 'Document').filter((line) => !/\/schemas?\//.test(line.replace(':', '/')))).toEqual([]);
});

test('another order, and a member that is not known, are found at any depth', () => {
  const get = {
    summary: 's',
    tags: [],
    responses: { 200: { description: 'd', content: { a: { schema: { enum: [], type: 's' } } } } },
  };
  expect(disordered({ paths: { '/a': { get } }, nothing: {} }, 'Document')).toEqual([
    ': paths,nothing',
    '/paths//a/get: summary,tags,responses',
    '/paths//a/get/responses/200/content/a/schema: enum,type',
  ]);
});

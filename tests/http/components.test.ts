/** The document has every schema that its operations use, and a mistake in its references stops it. */
import { expect, test } from 'bun:test';
import { operations } from '../../src/app/app.ts';
import { onlyReads } from '../../src/app/read-only.ts';
import { getToken } from '../../src/app/token.ts';
import { checkReferences } from '../../src/document/components.ts';
import { createDocument } from '../../src/document/document.ts';
import { toOpenApi30 } from '../../src/document/openapi-3.0.ts';
import { toOpenApi32 } from '../../src/document/openapi-3.2.ts';
import type { Operation } from '../../src/http/operation.ts';
import { closed, named, type TSchema, t } from '../../src/http/schema.ts';
import { Plant } from '../../src/plants/schemas.ts';

const text = t.StorableText({ maxLength: 9, description: 'd' });
const Leaf = named('Leaf', t.Object({ name: text }, { ...closed, description: 'A leaf.' }));
const Tree = named('Tree', t.Object({ leaves: t.Array({ ...Leaf, description: 'One of them.' }) }, closed));

/** An operation with this schema as its response. */
const withResponse = (schema: TSchema, more: Partial<Operation> = {}): Operation => ({
  ...getToken,
  route: 'GET /trees',
  responses: { 200: { description: 'd', schema } },
  ...more,
});

test('a schema is a component of each document when an operation uses it, directly or inside another one', () => {
  const document = createDocument({ ...operations, getTree: withResponse(Tree) });
  for (const version of [document, toOpenApi30(document), toOpenApi32(document)]) {
    const { components } = JSON.parse(JSON.stringify(version));
    expect(components.schemas).toMatchObject({
      Tree: { properties: { leaves: { items: { description: 'One of them.' } } } },
      Leaf: { description: 'A leaf.', properties: { name: { maxLength: 9 } } },
    });
  }
  expect(Object.keys(createDocument(operations).components.schemas)).not.toContainValues(['Tree', 'Leaf']);
});

const other = (schema: TSchema): TSchema =>
  named('Leaf', t.Object({ name: schema }, { ...closed, description: 'A leaf.' }));

test.each<[string, TSchema]>([
  ['other members', other(t.StorableText({ maxLength: 8, description: 'd' }))],
  ['another description', named('Leaf', t.Object({ name: text }, { ...closed, description: 'A page.' }))],
  ['a copy with another keyword', { ...Leaf, minProperties: 1 }],
])('two schemas with one name and %s stop the document, which names them', (_what, second) => {
  const two = { getTree: withResponse(Tree), getLeaf: withResponse(second, { route: 'GET /leaf' }) };
  expect(() => createDocument({ ...operations, ...two })).toThrow('Two different schemas have the name Leaf.');
  expect(() => createDocument({ ...operations, getTree: two.getTree })).not.toThrow();
});

test.each([
  ['a callback', { callbacks: { event: { '{$url}': { $ref: '#/components/pathItems/Evnt' } } } }, 'pathItems/Evnt'],
  [
    'a discriminator',
    {
      responses: {
        200: {
          description: 'd',
          schema: t.Unsafe({ oneOf: [Plant], discriminator: { mapping: { plant: '#/components/schemas/Plnt' } } }),
        },
      },
    },
    'schemas/Plnt',
  ],
  ['a header', { responses: { 200: { description: 'd', headers: JSON.parse('{"X-Leaf":"1"}') } } }, 'headers/X-Leaf'],
])('a reference in %s to a missing component stops the document, which names it', (_where, more, pointer) => {
  const broken = { ...operations, getTree: withResponse(Tree, more) };
  expect(() => createDocument(broken)).toThrow(
    `The document refers to #/components/${pointer}, which it does not have.`,
  );
});

test('the document of a process that only reads has its own operations and schemas in every version', () => {
  const document = createDocument(onlyReads(operations));
  for (const version of [document, toOpenApi30(document), toOpenApi32(document)]) {
    const { paths, components } = JSON.parse(JSON.stringify(checkReferences(version)));
    const methods = Object.values<object>(paths).flatMap((item) => Object.keys(item));
    expect(new Set(methods)).toEqual(new Set(['parameters', 'get']));
    expect(components.schemas).not.toContainKeys(['NewWebhook', 'PlantPatch']);
  }
});

/** openapi/lesson.yaml is valid, short, and a part of openapi.yaml. That it is true is checked with each response of every test. */
import { describe, expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { validate } from '@hyperjump/json-schema/openapi-3-1';
import { parse } from 'yaml';
import { lessons } from '../../docs/pages/lessons.ts';
import { valueAt } from '../../src/base/json-pointer.ts';
import { document } from '../support/document/document.ts';
import { conformToLesson, lesson } from '../support/document/lesson.ts';
import { read } from '../support/project/imports.ts';

const text = read('openapi/lesson.yaml');

test('the lesson is valid against the official schema, and has fewer than 540 lines of at most 80 columns', async () => {
  const schema = 'https://spec.openapis.org/oas/3.1/schema-draft-2020-12';
  expect(await validate(schema, lesson, 'BASIC')).toMatchObject({ valid: true });
  expect(
    await validate(schema, { ...lesson, paths: { '/plants': { get: { responses: { 200: {} } } } } }, 'BASIC'),
  ).toMatchObject({
    valid: false,
  });
  expect(text.split('\n').length).toBeLessThan(540);
  expect(text.split('\n').filter((line) => line.length > 80)).toEqual([]);
});

test('a parser of YAML 1.1 reads the lesson as one of YAML 1.2 does', () => {
  expect(parse(text, { version: '1.1' })).toEqual(lesson);
});

test('a comment before each feature names a lesson that exists', () => {
  const pages = [...text.matchAll(/^ *# Lesson \d+: .* — (docs\/learn\/\d[\w-]+\.md)$/gm)].map(([, page = '']) => page);
  expect(new Set(pages).size).toBeGreaterThanOrEqual(10);
  expect(pages.filter((page) => !existsSync(join(import.meta.dir, '../..', page)))).toEqual([]);
});

/** What the member behind a comment has, by the page of its lesson. */
const features: Readonly<Record<string, unknown>> = {
  '01-json-schema.md': 'https://json-schema.org/draft/2020-12/schema',
  '02-null.md': { type: ['string', 'null'] },
  '03-constants.md': { 0: { title: 'malformed_body', const: 40000 } },
  '04-examples.md': { tagged: { value: { id: 1 } }, untagged: { value: { id: 2 } } },
  '06-webhooks.md': { 'plant.created': { post: {} } },
  '07-callbacks.md': {},
  '08-closed-objects.md': false,
  '09-one-of.md': { 0: { $ref: '#/components/schemas/PlantCreated' } },
  '10-int64.md': { format: 'int64' },
  '11-roles.md': { 0: { bearerAuth: ['plants:write'] } },
};

test('behind each comment is the feature of its lesson', () => {
  const commented = lessons.filter(({ places }) => places.length > 0);
  expect(commented.map(({ file }) => file)).toEqual(Object.keys(features));
  for (const { file, places } of commented)
    for (const place of places)
      expect({ file, has: valueAt(lesson, place) }).toMatchObject({ file, has: features[file] });
});

test('the lesson has the operations, the webhook and the callback that it promises', () => {
  const operationsOf = (items: Readonly<Record<string, object>>) =>
    Object.values(items).flatMap((item) => Object.values(item).flatMap(({ operationId }) => operationId ?? []));
  expect(operationsOf(lesson.paths)).toEqual([
    'listPlants',
    'createPlant',
    'getPlant',
    'deletePlant',
    'updatePlant',
    'createWebhook',
  ]);
  expect(operationsOf(lesson.webhooks)).toEqual(['onPlantCreated']);
  expect(lesson.paths['/webhooks'].post.callbacks).toEqual(document.paths['/webhooks'].post.callbacks);
});

test('every example in the lesson is one of the whole document, which are true in the demo', () => {
  const examples: [string, object][] = [];
  const visit = (node: unknown, path: readonly string[]): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const [name, value] of Object.entries(node))
      if (name === 'examples') examples.push([[...path, name].join(' '), value]);
      else visit(value, [...path, name]);
  };
  visit(lesson, []);
  expect(examples.length).toBeGreaterThan(4);
  for (const [path, shown] of examples) {
    const whole = path.split(' ').reduce((node, name) => node?.[name], document);
    expect([path, whole]).toEqual([path, expect.objectContaining(shown)]);
  }
});

describe('a response that the lesson does not describe is refused', () => {
  const plant = { id: 1, name: 'n', createdAt: '2026-01-01T00:00:00.000Z', updatedAt: '2026-01-01T00:00:00.000Z' };
  const read = {
    method: 'get',
    path: '/plants/{id}',
    status: 200,
    headers: new Headers(),
    body: JSON.stringify(plant),
  };
  const error = { ...read, status: 404, body: '{"error":40400,"message":"There is no such plant."}' };
  const created = {
    ...read,
    method: 'post',
    path: '/plants',
    headers: new Headers({ location: 'plants/1' }),
    body: '{"name":"n"}',
  };

  test.each([read, error, created])('%p is described', async (answer) => {
    await conformToLesson(answer);
  });

  test.each([
    ['another member', { ...read, body: JSON.stringify({ ...plant, colour: 'green' }) }],
    ['another status', { ...read, status: 302 }],
    ['an unknown number of an error', { ...error, body: '{"error":40499,"message":"n"}' }],
    ['a missing header', { ...created, headers: new Headers() }],
    ['a body where none is described', { ...read, method: 'delete', status: 204 }],
  ])('%s is refused', async (_, answer) => {
    await expect(conformToLesson(answer)).rejects.toThrow();
  });
});

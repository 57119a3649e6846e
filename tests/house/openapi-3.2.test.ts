/** The OpenAPI 3.2 document is valid, its examples are true, and the rest is the same as in the 3.1 document. */
import { describe, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Output, validate } from '@hyperjump/json-schema/openapi-3-2';
import { asJson, createTestApp } from '../support/app/app.ts';
import { locatedPath } from '../support/app/links.ts';
import { document as document31 } from '../support/document/document.ts';
import { document32 as document, fitsItemSchema, parseStream } from '../support/document/streamed-event.ts';

/** The official schema of OpenAPI 3.2 documents, with JSON Schema 2020-12 for the schemas inside. */
const officialSchema = 'https://spec.openapis.org/oas/3.2/schema-draft-2020-12';

const isValid = (some: typeof document): Promise<Output> => validate(officialSchema, some, 'BASIC');

const createPlant = ({ paths }: typeof document) => paths['/plants'].post;
const liveStream = ({ paths }: typeof document) => paths['/events'].get.responses[200].content['text/event-stream'];
const importOf = ({ paths }: typeof document) => paths['/import'].post.requestBody.content;
const exportOf = ({ paths }: typeof document) => paths['/export'].get.responses[200].content;
const metricLines = ({ paths }: typeof document) => paths['/metrics'].get.responses[200].content['text/plain'];

test('the 3.2 document is valid against the official schema of 3.2', async () => {
  expect(await isValid(document)).toMatchObject({ valid: true });
});

test.each<[string, (document: typeof document31) => void]>([
  ['an itemSchema that is not a schema', (document) => (liveStream(document).itemSchema = 'StreamedEvent')],
  ['an example with a value and a dataValue', (document) => (liveStream(document).examples.live.value = '')],
  ['a tag whose parent is not a name', (document) => (document.tags[0].parent = 1)],
  ['a shared media type with an unknown keyword', (document) => (document.components.mediaTypes.PlantPatch.item = {})],
])('the official schema of 3.2 refuses a document with %s', async (_what, change) => {
  const changed = structuredClone(document);
  change(changed);
  expect(await isValid(changed)).toMatchObject({ valid: false });
});

test('openapi-3.2.json is the 3.2 document; `bun run generate` updates it', () => {
  const file = readFileSync(join(import.meta.dir, '../../openapi/openapi-3.2.json'), 'utf8');
  expect(file).toBe(`${JSON.stringify(document, null, 2)}\n`);
});

test('the 3.2 document is served without a token, and a client that has it gets 304', async () => {
  const { send } = await createTestApp();
  const get = (method: string, headers = {}) => send(method, '/openapi-3.2.json', { authorization: null, headers });
  const response = await get('GET');
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(response.headers.get('cache-control')).toBe('no-cache');
  expect(await response.json()).toEqual(document);
  const etag = response.headers.get('etag') ?? '';
  const again = await get('GET', { 'if-none-match': etag });
  expect([again.status, again.headers.get('etag'), await again.text()]).toEqual([304, etag, '']);
  const head = await get('HEAD');
  expect([head.status, head.headers.get('etag'), await head.text()]).toEqual([200, etag, '']);
});

test('the 3.2 document without its additions is the 3.1 document', () => {
  const rest = structuredClone(document);
  const { openapi, externalDocs, info, components } = document31;
  expect(rest.info.description).toStartWith(info.description);
  Object.assign(rest, { openapi, externalDocs, info });
  for (const tag of rest.tags) for (const name of ['summary', 'kind', 'parent']) delete tag[name];
  for (const name of Object.keys(components.responses)) delete rest.components.responses[name].summary;
  delete createPlant(rest).requestBody.content['application/json'].examples.exact;
  delete createPlant(rest).responses[200].content['application/json'].examples.exact;
  for (const content of [liveStream(rest), metricLines(rest)]) {
    for (const example of Object.values<Record<string, unknown>>(content.examples)) {
      example['value'] = example['serializedValue'];
      delete example['serializedValue'];
      delete example['dataValue'];
    }
  }
  for (const content of [importOf, exportOf].flatMap((of) =>
    Object.values<{ examples: Record<string, Record<string, unknown>> }>(of(rest)),
  ))
    for (const example of Object.values(content.examples)) {
      example['value'] = example['serializedValue'];
      delete example['serializedValue'];
    }
  const ndjson = importOf(rest)['application/x-ndjson'];
  expect(ndjson.itemSchema).toEqual({ $ref: '#/components/schemas/ImportedPlant' });
  ndjson.schema = importOf(document31)['application/x-ndjson'].schema;
  delete ndjson.itemSchema;
  const exported = exportOf(rest)['application/x-ndjson'];
  expect(exported.itemSchema).toEqual({ $ref: '#/components/schemas/PlantRecord' });
  exported.schema = exportOf(document31)['application/x-ndjson'].schema;
  delete exported.itemSchema;
  const { StreamedEvent, ImportedPlant, ...schemas } = rest.components.schemas;
  const { mediaTypes, ...others } = rest.components;
  expect(liveStream(rest)).toMatchObject({ itemSchema: { $ref: '#/components/schemas/StreamedEvent' } });
  liveStream(rest).schema = liveStream(document31).schema;
  delete liveStream(rest).itemSchema;
  const { content } = rest.paths['/plants/{id}'].patch.requestBody;
  for (const mediaType of Object.keys(content)) {
    expect(content[mediaType]).toEqual({ $ref: '#/components/mediaTypes/PlantPatch' });
    content[mediaType] = mediaTypes.PlantPatch;
  }
  expect([Object.keys(mediaTypes), StreamedEvent.type, ImportedPlant.type]).toEqual([
    ['PlantPatch'],
    'object',
    'object',
  ]);
  expect({ ...rest, components: { ...others, schemas } }).toEqual(document31);
});

test('every tag of the 3.2 document has a summary, and the messages are below the webhooks', () => {
  const tags = Object.values<{ name: string; summary?: string; kind?: string; parent?: string }>(document.tags);
  for (const { summary, kind } of tags) expect([typeof summary, kind]).toEqual(['string', 'nav']);
  expect(tags.flatMap(({ name, parent }) => (parent === undefined ? [] : [[name, parent]]))).toEqual([
    ['messages', 'webhooks'],
  ]);
});

test('every shared response of the 3.2 document has a summary', () => {
  const responses = Object.values<{ summary?: string }>(document.components.responses);
  expect(responses).toHaveLength(Object.keys(document31.components.responses).length);
  for (const { summary } of responses) expect(summary).toMatch(/^[A-Z]/);
});

describe('the examples of the 3.2 document', () => {
  test('the example of the live stream is the serialization of its items, which match itemSchema', async () => {
    const { dataValue, serializedValue } = liveStream(document).examples.live;
    expect(parseStream(serializedValue)).toEqual(dataValue);
    expect(dataValue.length).toBeGreaterThan(2);
    for (const item of dataValue) expect(await fitsItemSchema(item)).toBe(true);
  });

  test.each([
    ['another type of event', { event: 'plant.watered' }],
    ['no id', { id: undefined }],
    ['a retry time', { retry: 1 }],
    ['another event as data', { data: '{"type":"plant.watered"}' }],
  ])('an item with %s does not match itemSchema', async (_what, change) => {
    const [item] = liveStream(document).examples.live.dataValue;
    expect(await fitsItemSchema({ ...item, ...change })).toBe(false);
  });

  test('the example with an id beyond 2⁵³ is sent unchanged, and gets the documented response', async () => {
    const { send } = await createTestApp();
    const { requestBody, responses } = createPlant(document);
    const body: string = requestBody.content['application/json'].examples.exact.serializedValue;
    expect(BigInt(/"id":(\d+)/.exec(body)?.[1] ?? 0)).toBeGreaterThan(2n ** 53n);
    const response = await send('POST', '/plants', { headers: asJson, body });
    expect(await response.json()).toEqual(responses[200].content['application/json'].examples.exact.value);
    const created = await send('GET', locatedPath(response, '/plants'));
    expect(await created.text()).toStartWith(body.slice(0, -1));
  });
});

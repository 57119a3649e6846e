/** How two TypeScript generators read the document, as described in FEATURES.md. */
import { beforeAll, describe, expect, test } from 'bun:test';
import { join } from 'node:path';
import { errors } from '../src/domain/error.ts';
import { document } from '../tests/support/document.ts';

const numbers = Object.values(errors).map(({ number }) => number);
const webhooks = Object.keys(document.webhooks);

/** The part of the source between a text and the first line that closes it. */
const partOf = (source: string, opening: string, closing = '}'): string => {
  const [, rest = ''] = source.split(`\n${opening}`);
  return rest.split(`\n${closing}`, 1)[0] ?? '';
};

describe('openapi-typescript', () => {
  let types: string;
  beforeAll(async () => {
    types = await Bun.file(join(import.meta.dir, 'generated/openapi-typescript.ts')).text();
  });
  const schema = (name: string): string => partOf(types, `        ${name}: `, '        }');

  test('openapi-typescript: a type array with null is a union with null', () => {
    expect(schema('PlantPatch')).toContain('tag?: string | null;');
  });

  test('openapi-typescript: a discriminated oneOf is a union of branches, and a const is a literal', () => {
    const branches = ['PlantCreated', 'PlantUpdated', 'PlantDeleted'].map((name) => `components["schemas"]["${name}"]`);
    expect(types).toContain(`}) & (${branches.join(' | ')});`);
    expect(schema('PlantCreated')).toContain('type: "plant.created";');
  });

  test('openapi-typescript: an annotated enumeration is a union of its numbers', () => {
    expect(schema('Error')).toContain(`(${numbers.join(' | ')})`);
  });

  test('openapi-typescript: a description beside a reference to a schema is kept', () => {
    const { description } = document.components.schemas.Event.properties.eventId;
    expect(schema('Event')).toContain(`@description ${description}`);
  });

  test('openapi-typescript: every webhook has a type', () => {
    const part = partOf(types, 'export interface webhooks {');
    for (const name of webhooks) expect(part).toContain(`"${name}": {`);
  });

  test('openapi-typescript: both media types of a request and of a response have a type', () => {
    const updatePlant = partOf(types, '    updatePlant: {', '    }');
    expect(updatePlant).toContain('"application/merge-patch+json": components["schemas"]["PlantPatch"]');
    expect(updatePlant).toContain('"application/json": components["schemas"]["PlantPatch"]');
    const listEvents = partOf(types, '    listEvents: {', '    }');
    expect(listEvents).toContain('"application/json": components["schemas"]["Event"][]');
    expect(listEvents).toContain('"text/event-stream": string');
  });
});

describe('@hey-api/openapi-ts', () => {
  let types: string;
  beforeAll(async () => {
    types = await Bun.file(join(import.meta.dir, 'generated/hey-api/types.gen.ts')).text();
  });
  const type = (name: string): string => partOf(types, `export type ${name} = `);

  test('@hey-api/openapi-ts: a type array with null is a union with null', () => {
    expect(type('PlantPatch')).toContain('tag?: string | null;');
  });

  test('@hey-api/openapi-ts: a discriminated oneOf is a union of branches, and a const is a literal', () => {
    expect(type('Event')).toContain('(PlantCreated | PlantUpdated | PlantDeleted) & {');
    expect(type('PlantCreated')).toContain("type: 'plant.created';");
  });

  test('@hey-api/openapi-ts: an annotated enumeration is a union of its numbers', () => {
    expect(type('Error')).toContain(`error: ${numbers.join(' | ')};`);
  });

  test('@hey-api/openapi-ts: a write-only member is only in the type of the request', () => {
    expect(type('NewWebhook')).not.toContain('secret');
    expect(type('NewWebhookWritable')).toContain('secret?: string;');
    expect(type('WebhookWithSecret')).toContain('readonly secret: string;');
    expect(types).toContain('export type WebhookWithSecretWritable = WebhookTarget;');
  });

  test('@hey-api/openapi-ts: a description beside a reference to a schema is kept', () => {
    expect(type('Event')).toContain(document.components.schemas.Event.properties.eventId.description);
  });

  test('@hey-api/openapi-ts: every webhook has a type', () => {
    for (const name of webhooks) expect(types).toContain(`key: '${name}';`);
  });

  test('@hey-api/openapi-ts: a relative server is the base URL', async () => {
    const client = await Bun.file(join(import.meta.dir, 'generated/hey-api/client.gen.ts')).text();
    expect(client).toContain("baseUrl: '/'");
  });

  test('@hey-api/openapi-ts: the second media type of a response is lost', () => {
    expect(type('ListEventsResponses')).toContain('200: Array<Event>;');
    expect(types).not.toContain('event-stream');
  });
});

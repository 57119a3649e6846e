/** How libraries that parse a document read OpenAPI 3.1. */
import { expect, setDefaultTimeout, test } from 'bun:test';
import SwaggerParser from '@apidevtools/swagger-parser';
import { dereference, validate } from '@scalar/openapi-parser';
import { Validator } from '@seriousme/openapi-schema-validator';
import { validate as validateOas } from 'oas-validator';
import { sample } from 'openapi-sampler';
import openApi30 from '../../openapi/openapi-3.0.json';
import { document } from '../../tests/support/document.ts';
import { smallDocument } from './small-document.ts';

// The machine may be busy.
setDefaultTimeout(60_000);

const copySmall = () => JSON.parse(JSON.stringify(smallDocument));

const copyUntitled = () => ({ ...copySmall(), info: { version: '1' } });

/** The siblings of a reference, in a parameter and in a schema, once the references are resolved. */
const resolved = {
  paths: {
    '/events': { get: { parameters: [{ name: 'limit', description: 'of events' }] } },
    '/webhooks': {
      post: {
        parameters: [{ name: 'limit', description: 'of webhooks' }],
        callbacks: { event: { '{$request.body#/url}': { post: { operationId: 'onCallback' } } } },
      },
    },
  },
  components: { schemas: { Event: { properties: { eventId: { type: 'string', description: 'of an event' } } } } },
};

test('swagger-parser: the document is valid, and a description beside a reference replaces the shared one', async () => {
  await SwaggerParser.validate(structuredClone(document));
  expect(await SwaggerParser.validate(copySmall())).toMatchObject(resolved);
  await expect(SwaggerParser.validate(copyUntitled())).rejects.toThrow('title');
});

test('@scalar/openapi-parser: the document is valid, and a description beside a reference replaces the shared one', async () => {
  expect(await validate(structuredClone(document))).toMatchObject({ valid: true, version: '3.1' });
  expect(dereference(copySmall()).schema).toMatchObject(resolved);
  expect(await validate(copyUntitled())).toMatchObject({ valid: false });
});

test('@seriousme/openapi-schema-validator: the document is valid, and one without a title is not', async () => {
  const validator = new Validator();
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
  expect(await validator.validate(copyUntitled())).toMatchObject({ valid: false });
});

test('oas-validator: OpenAPI 3.1 is refused by its version, and the document of 3.0 is valid', async () => {
  expect(await validateOas(structuredClone(openApi30), {})).toMatchObject({ valid: true });
  await expect(validateOas(copySmall(), {})).rejects.toThrow('Must be an OpenAPI 3.0.x document');
});

test('openapi-sampler: constants, annotated enumerations and examples are used', () => {
  const { Error: error, PlantDeleted, PlantPatch } = copySmall().components.schemas;
  expect(sample(PlantDeleted)).toEqual({ type: 'plant.deleted' });
  expect(sample(error)).toEqual({ error: 40000 });
  expect(sample(PlantPatch)).toEqual({ tag: 'string' });
  expect(sample({ type: 'string', examples: ['tropical'] })).toBe('tropical');
});

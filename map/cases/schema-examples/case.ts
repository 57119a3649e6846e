import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const body = { name: 'Monstera deliciosa' };

export const feature: CaseText = {
  name: '`examples` in schemas',
  since: '3.1',
  meaning: 'A schema has a list of examples, as in JSON Schema. It replaces `example` of OpenAPI 3.0.',
  why: 'An example is written once, at the member, and each body that has the member can be made of it.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/schemas/PlantPatch/properties/tag/examples'],
    tests: [
      { file: 'tests/house/examples.test.ts', test: 'every example inside a schema is valid against the schema' },
    ],
  },
  checks: {
    validate: [
      { check: 'a body with another value', isBasic: true, operation: 'addPlant', body: { name: 'a' }, isValid: true },
    ],
    typeCheck: [
      { check: 'the type of another value', isBasic: true, schema: 'Plant', literal: { name: 'a' }, isValid: true },
    ],
    code: [{ check: 'the example', text: 'Monstera deliciosa' }],
    lint: [
      {
        check: 'an example that does not match its schema',
        level: 'example',
        pointer: '/components/schemas/Plant/properties/name/examples/0',
        value: 5,
      },
    ],
    resolve: [
      {
        check: 'the examples',
        pointer: '/paths/~1plants/post/requestBody/content/application~1json/schema/properties/name/examples',
        value: ['Monstera deliciosa'],
      },
    ],
    sample: [{ check: 'the sample', schema: 'Plant', value: body }],
    test: {
      // It answers another plant: a tester may learn values from responses.
      right: ({ body: text }) =>
        typeof membersOf(text)?.['name'] === 'string' ? Response.json({ name: 'Ficus' }) : refused(),
      sends: [
        {
          check: 'a request with the example',
          expected: JSON.stringify(body),
          request: ({ body: text }) => membersOf(text)?.['name'] === body.name,
        },
      ],
    },
    show: [{ check: 'the example', text: 'Monstera deliciosa' }],
    respond: [
      {
        check: 'the answer of the mock',
        method: 'POST',
        target: '/plants',
        body: { name: 'a' },
        response: { contentType: 'application/json', body },
      },
    ],
  },
};

import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const examples = '/paths/~1plant/get/responses/200/content/application~1json/examples';

export const feature: CaseText = {
  name: '`examples` of media types',
  since: '3.0',
  meaning: 'A body has named examples, each with a summary and a value.',
  why: 'A reader sees what a service answers before the first call, and a mock answers it.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/paths/~1plants/get/responses/200/content/application~1json/examples'],
    tests: [
      { file: 'tests/house/examples.test.ts', test: 'every example is valid against its schema' },
      { file: 'tests/house/examples.test.ts', test: 'the request of the example $key gets the documented response' },
      {
        file: 'tests/house/conformance.test.ts',
        test: 'every message of an error is in a response of its operation, word for word',
      },
    ],
  },
  checks: {
    lint: [
      {
        check: 'an example that does not match its schema',
        level: 'example',
        pointer: `${examples}/tropical/value/name`,
        value: 5,
      },
    ],
    resolve: [
      { check: 'the value of the example', pointer: `${examples}/tropical/value/name`, value: 'Monstera deliciosa' },
    ],
    show: [{ check: 'the value of the example', text: 'Monstera deliciosa' }],
    respond: [
      {
        check: 'the answer of the mock',
        target: '/plant',
        response: { contentType: 'application/json', body: { name: 'Monstera deliciosa' } },
      },
    ],
  },
  variants: [
    {
      name: 'of a request',
      changes: {
        '/paths/~1plant/put': {
          operationId: 'setPlant',
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
                examples: { first: { value: { name: 'Ficus' } }, second: { value: { name: 'Calathea' } } },
              },
            },
          },
          responses: { 200: { description: 'the plant is set' }, 400: { description: 'refused' } },
        },
      },
      checks: {
        test: {
          right: ({ method, body }) => {
            if (method === 'GET') return Response.json({ name: 'Monstera deliciosa' });
            return typeof membersOf(body)?.['name'] === 'string' ? new Response() : refused();
          },
          sends: ['Ficus', 'Calathea'].map((name) => ({
            check: `a request with the example \`${name}\``,
            expected: JSON.stringify({ name }),
            request: ({ method, body }) => method === 'PUT' && membersOf(body)?.['name'] === name,
          })),
        },
      },
    },
  ],
};

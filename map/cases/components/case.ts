import type { CaseText } from '../../measure/case.ts';
import { refused } from '../shared/body.ts';

const body = { name: 'Monstera' };
const responseHeaders = { etag: '"1"' };
const response = { side: 'response', operation: 'getPlant' } as const;
const content = '/components/responses/Plant/content/application~1json';

const answer = (query: URLSearchParams, found: unknown, headers: Record<string, string>): Response =>
  /^-?\d+$/.test(query.get('leaves') ?? '1') ? Response.json(found, { headers }) : refused();

export const feature: CaseText = {
  name: 'reusable responses, headers and parameters',
  since: '3.0',
  meaning: 'Operations refer to the parameters, responses and headers that they share.',
  why: 'An error or a page is described once, and is the same everywhere.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/responses', '/components/headers', '/components/parameters'],
    tests: [
      {
        file: 'tests/house/document.test.ts',
        test: 'every reference leads to a component, and every component is referred to',
      },
      {
        file: 'tests/house/conformance.test.ts',
        test: 'the service returns every status of every operation in the document',
      },
    ],
  },
  checks: {
    validate: [
      { check: 'a request', isBasic: true, operation: 'getPlant', target: '/plant?leaves=5', isValid: true },
      { check: 'a parameter of a wrong type', operation: 'getPlant', target: '/plant?leaves=few', isValid: false },
      { check: 'a response', ...response, isBasic: true, responseHeaders, body, isValid: true },
      { check: 'a response with a wrong body', ...response, responseHeaders, body: { name: 5 }, isValid: false },
      { check: 'a response with a wrong header', ...response, responseHeaders: { etag: 'one' }, body, isValid: false },
      { check: 'a response without its header', ...response, body, isValid: false },
    ],
    call: [
      {
        check: 'a call with the shared parameter',
        operation: 'getPlant',
        arguments: { query: { leaves: 5 } },
        request: { method: 'GET', target: '/plant?leaves=5' },
        response: { headers: responseHeaders, body: JSON.stringify(body) },
        value: body,
      },
    ],
    // Many generators write no description of any parameter.
    code: [{ check: 'the name of the shared parameter', text: 'leaves' }],
    lint: [
      {
        check: 'a wrong example in the shared response',
        level: 'example',
        pointer: `${content}/examples`,
        value: { wrong: { value: { name: 5 } } },
        at: ['/components/responses/Plant', '/paths/~1plant/get/responses/200'],
      },
      {
        check: 'a shared header that does not exist',
        level: 'reference',
        pointer: '/components/responses/Plant/headers/ETag/$ref',
        value: '#/components/headers/Nothing',
        at: ['/components/responses/Plant', '/paths/~1plant/get/responses/200'],
      },
    ],
    resolve: [
      { check: 'the name of the parameter', pointer: '/paths/~1plant/get/parameters/0/name', value: 'leaves' },
      {
        check: 'the schema of the header',
        pointer: '/paths/~1plant/get/responses/200/headers/ETag/schema/type',
        value: 'string',
      },
    ],
    test: {
      right: ({ query }) => answer(query, body, responseHeaders),
      broken: [
        {
          check: 'a server that answers a wrong body',
          server: ({ query }) => answer(query, { name: 5 }, responseHeaders),
        },
        { check: 'a server that leaves the header away', server: ({ query }) => answer(query, body, {}) },
      ],
    },
    show: [
      { check: 'the description of the shared parameter', text: 'How many leaves' },
      { check: 'the description of the shared response', text: 'The shared plant' },
    ],
    respond: [
      {
        check: 'the answer of the mock',
        target: '/plant',
        response: { contentType: 'application/json', headers: { etag: /./ } },
      },
    ],
  },
};

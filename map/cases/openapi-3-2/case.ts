import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const body = { name: 'Monstera' };

export const feature: CaseText = {
  name: 'the version 3.2',
  since: '3.2',
  meaning:
    'The version of the document is 3.2. The document uses nothing else that is new, beside a response without a description.',
  why: 'A document can use what is new in OpenAPI 3.2 only if its tools read the version.',
  use: {
    document: 'openapi-3.2.json',
    pointers: ['/openapi'],
    tests: [
      {
        file: 'tests/house/openapi-3.2.test.ts',
        test: 'the 3.2 document is valid against the official schema of 3.2',
      },
      {
        file: 'tests/house/openapi-3.2.test.ts',
        test: 'openapi-3.2.json is the 3.2 document; `bun run generate` updates it',
      },
    ],
  },
  checks: {
    load: 'feature',
    validate: [
      { check: 'a body', operation: 'setPlant', body, isValid: true },
      { check: 'a wrong body', operation: 'setPlant', body: { name: 5 }, isValid: false },
      { check: 'a response', side: 'response', operation: 'setPlant', body, isValid: true },
      { check: 'a wrong response', side: 'response', operation: 'setPlant', body: { name: 5 }, isValid: false },
    ],
    typeCheck: [
      { check: 'the type of a plant', schema: 'Plant', literal: body, isValid: true },
      { check: 'the type of a wrong plant', schema: 'Plant', literal: { name: 5 }, isValid: false },
    ],
    call: [
      {
        check: 'a call',
        operation: 'setPlant',
        arguments: { body },
        request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(body) },
        response: { body: JSON.stringify(body) },
        value: body,
      },
    ],
    lint: [
      {
        check: 'a member that does not exist',
        level: 'document',
        pointer: '/paths/~1plant/put/nothing',
        value: true,
        at: ['/paths/~1plant/put'],
      },
    ],
    resolve: [
      {
        check: 'the type of the name',
        pointer: '/paths/~1plant/put/requestBody/content/application~1json/schema/properties/name/type',
        value: 'string',
      },
    ],
    test: {
      right: ({ body: text }) => (typeof membersOf(text)?.['name'] === 'string' ? Response.json(body) : refused()),
      broken: [
        {
          check: 'a server that answers a wrong plant',
          server: ({ body: text }) =>
            typeof membersOf(text)?.['name'] === 'string' ? Response.json({ name: 5 }) : refused(),
        },
      ],
    },
    show: [{ check: 'the title', text: 'Three point two' }],
    respond: [
      {
        check: 'the answer of the mock',
        method: 'PUT',
        target: '/plant',
        body,
        response: { contentType: 'application/json' },
      },
    ],
  },
  variants: [
    {
      name: 'with a response that has no description',
      changes: { '/paths/~1plant/put/responses/400': { summary: 'refused' } },
      checks: { load: 'feature', lint: [], resolve: [] },
    },
  ],
};

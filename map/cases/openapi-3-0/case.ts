import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const body = { name: 'Monstera' };
const empty = { name: null };
const wrong = { name: 5 };

export const feature: CaseText = {
  name: 'the version 3.0',
  since: '3.0',
  meaning: 'The version of the document is 3.0. A name may be null, which OpenAPI 3.0 calls `nullable`.',
  why: 'A tool that reads only OpenAPI 3.0 can read the same service.',
  use: {
    document: 'openapi-3.0.json',
    pointers: [''],
    tests: [
      {
        file: 'tests/house/document.test.ts',
        test: 'the 3.0 document is valid against the official schema of 3.0',
      },
      {
        file: 'tests/house/document.test.ts',
        test: 'the 3.0 document has the same operations, responses and schemas',
      },
    ],
  },
  checks: {
    load: 'feature',
    validate: [
      { check: 'a body', operation: 'setPlant', body, isValid: true },
      { check: 'a body with null', operation: 'setPlant', body: empty, isValid: true },
      { check: 'a wrong body', operation: 'setPlant', body: wrong, isValid: false },
      { check: 'a response with null', side: 'response', operation: 'setPlant', body: empty, isValid: true },
      { check: 'a wrong response', side: 'response', operation: 'setPlant', body: wrong, isValid: false },
    ],
    typeCheck: [
      { check: 'the type of a plant', schema: 'Plant', literal: body, isValid: true },
      { check: 'the type with null', schema: 'Plant', literal: empty, isValid: true },
      { check: 'the type of a wrong plant', schema: 'Plant', literal: wrong, isValid: false },
    ],
    call: [
      {
        check: 'a call with null',
        operation: 'setPlant',
        arguments: { body: empty },
        request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(empty) },
        response: { body: JSON.stringify(empty) },
        value: empty,
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
        check: 'that the name may be null',
        pointer: '/paths/~1plant/put/requestBody/content/application~1json/schema/properties/name/nullable',
        value: true,
      },
    ],
    test: {
      right: ({ body: text }) => (isPlant(text) ? Response.json(empty) : refused()),
      broken: [
        {
          check: 'a server that answers a wrong plant',
          server: ({ body: text }) => (isPlant(text) ? Response.json(wrong) : refused()),
        },
      ],
    },
    show: [{ check: 'the title', text: 'Three point zero' }],
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
};

const isPlant = (text: string): boolean => {
  const { name } = membersOf(text) ?? {};
  return name === null || typeof name === 'string';
};

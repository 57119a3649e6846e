import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const [first, second, unknown] = [{ error: 40400 }, { error: 40900 }, { error: 40499 }];
const content = '/paths/~1error/put/responses/200/content/application~1json';

export const feature: CaseText = {
  name: 'annotated enumeration: `oneOf` of `const`',
  since: '3.1',
  meaning: 'A value is one of several constants. Unlike in `enum`, each has a title and a description.',
  why: 'A client gets a name and a sentence for each number of an error.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/schemas/Error/properties/error/oneOf'],
    tests: [
      {
        file: 'tests/house/document.test.ts',
        test: 'the document lists every number that an error can have',
      },
      {
        file: 'tests/house/conformance.test.ts',
        test: 'every message of an error is in a response of its operation, word for word',
      },
    ],
  },
  checks: {
    diff: [
      {
        check: 'a request with another number',
        pointer: '/components/schemas/Error/properties/error/oneOf/1/const',
        value: 40901,
        isBreaking: true,
      },
    ],
    validate: [
      { check: 'the first number', isBasic: true, operation: 'setError', body: first, isValid: true },
      { check: 'the second number', isBasic: true, operation: 'setError', body: second, isValid: true },
      { check: 'another number', operation: 'setError', body: unknown, isValid: false },
      {
        check: 'a response with the second number',
        isBasic: true,
        side: 'response',
        operation: 'setError',
        body: second,
        isValid: true,
      },
      {
        check: 'a response with another number',
        side: 'response',
        operation: 'setError',
        body: unknown,
        isValid: false,
      },
    ],
    typeCheck: [
      { check: 'the type of the second number', isBasic: true, schema: 'Error', literal: second, isValid: true },
      { check: 'the type of another number', schema: 'Error', literal: unknown, isValid: false },
    ],
    call: [
      {
        check: 'a call with the second number',
        isBasic: true,
        operation: 'setError',
        arguments: { body: second },
        request: { method: 'PUT', target: '/error', contentType: 'application/json', body: '{"error":40900}' },
        response: { body: '{"error":40900}' },
        value: second,
      },
    ],
    lint: [
      {
        check: 'an example with another number',
        level: 'example',
        pointer: `${content}/examples`,
        value: { wrong: { value: unknown } },
      },
    ],
    resolve: [
      { check: 'the second number', pointer: `${content}/schema/properties/error/oneOf/1/const`, value: 40900 },
      { check: 'its title', pointer: `${content}/schema/properties/error/oneOf/1/title`, value: 'Taken' },
    ],
    sample: [{ check: 'a sample of an error', schema: 'Error' }],
    test: {
      right: ({ body }) => (isError(body) ? Response.json(second) : refused()),
      broken: [
        {
          check: 'a server that answers another number',
          server: ({ body }) => (isError(body) ? Response.json(unknown) : refused()),
        },
      ],
    },
    show: [{ check: 'the description of the second number', text: 'The name is taken.' }],
    respond: [
      {
        check: 'the answer of the mock',
        method: 'PUT',
        target: '/error',
        body: first,
        response: { contentType: 'application/json', bodies: [first, second] },
      },
    ],
  },
};

const isError = (body: string): boolean => [40400, 40900].some((number) => membersOf(body)?.['error'] === number);

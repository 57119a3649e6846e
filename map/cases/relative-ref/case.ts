import type { CaseText } from '../../measure/case.ts';

const valid = { leaf: { length: 5 } };
const invalid = { leaf: { length: 'long' } };
const request = { operation: 'setPlant', side: 'request' } as const;
const response = { operation: 'setPlant', side: 'response' } as const;

export const feature: CaseText = {
  name: 'a relative `$ref` to another file',
  since: '3.0',
  meaning:
    'A reference without a scheme leads to a file beside the document. A reference in that file is relative to it, and not to the document.',
  why: 'A large document is written in several files, and schemas are shared by several documents.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.0.4.html#relative-references-in-urls',
    quotes: [
      'Relative references used in `$ref` are processed as per JSON Reference, using the URL of the current document as the base URI.',
    ],
  },
  checks: {
    validate: [
      { check: 'a valid body', isBasic: true, ...request, body: valid, isValid: true },
      { check: 'a wrong leaf', ...request, body: invalid, isValid: false },
      { check: 'a valid response', isBasic: true, ...response, body: valid, isValid: true },
      { check: 'a wrong leaf in a response', ...response, body: invalid, isValid: false },
    ],
    typeCheck: [
      { check: 'the type of a valid body', isBasic: true, ...request, literal: valid, isValid: true },
      { check: 'the type of a wrong leaf', ...request, literal: invalid, isValid: false },
    ],
    call: [
      {
        check: 'a call with a valid body',
        isBasic: true,
        operation: 'setPlant',
        arguments: { body: valid },
        request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(valid) },
        response: { body: JSON.stringify(valid) },
        value: valid,
      },
    ],
    lint: [
      {
        check: 'a file that does not exist',
        level: 'reference',
        pointer: '/components/schemas/Plant/$ref',
        value: 'schemas/nothing.schema.json',
      },
    ],
    resolve: [
      {
        check: 'the type of a member behind both references',
        pointer:
          '/paths/~1plant/put/requestBody/content/application~1json/schema/properties/leaf/properties/length/type',
        value: 'integer',
      },
    ],
  },
};

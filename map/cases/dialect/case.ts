import type { CaseText, Checks } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const body = { kind: 'plant', name: 'Monstera' };
const otherKind = { kind: 'tree', name: 'Oak' };

const validate: Checks['validate'] = [
  { check: 'a body', isBasic: true, operation: 'setPlant', body, isValid: true },
  { check: 'a wrong type', isBasic: true, operation: 'setPlant', body: { ...body, name: 5 }, isValid: false },
  {
    check: 'another constant, which is a keyword of the dialect',
    operation: 'setPlant',
    body: otherKind,
    isValid: false,
  },
  { check: 'a response', isBasic: true, side: 'response', operation: 'setPlant', body, isValid: true },
  {
    check: 'a response with a wrong type',
    isBasic: true,
    side: 'response',
    operation: 'setPlant',
    body: { ...body, name: 5 },
    isValid: false,
  },
  {
    check: 'a response with another constant',
    side: 'response',
    operation: 'setPlant',
    body: otherKind,
    isValid: false,
  },
];

export const feature: CaseText = {
  name: '`jsonSchemaDialect`',
  since: '3.1',
  meaning:
    'The document names the dialect of JSON Schema of all its schemas. The default is that of OpenAPI, which has the keywords of JSON Schema 2020-12.',
  why: 'Every validator reads the schemas in the same way.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/jsonSchemaDialect'],
    tests: [
      { file: 'tests/house/document.test.ts', test: 'the document is valid against the official schema' },
      {
        file: 'tests/house/conformance.test.ts',
        test: 'a response that does not conform to the document fails the check, with the reason',
      },
    ],
  },
  checks: {
    validate,
    typeCheck: [
      { check: 'the type of a plant', isBasic: true, schema: 'Plant', literal: body, isValid: true },
      { check: 'the type of another constant', schema: 'Plant', literal: otherKind, isValid: false },
    ],
    lint: [{ check: 'a dialect that is a number', level: 'document', pointer: '/jsonSchemaDialect', value: 5 }],
    resolve: [
      {
        check: 'the dialect',
        pointer: '/jsonSchemaDialect',
        value: 'https://spec.openapis.org/oas/3.1/dialect/base',
      },
    ],
    test: {
      right: ({ body: text }) => (isPlant(text) ? Response.json(body) : refused()),
      broken: [
        {
          check: 'a server that answers another constant',
          server: ({ body: text }) => (isPlant(text) ? Response.json(otherKind) : refused()),
        },
      ],
    },
  },
  variants: [
    {
      name: 'with JSON Schema 2020-12',
      changes: { '/jsonSchemaDialect': 'https://json-schema.org/draft/2020-12/schema' },
      checks: { validate },
    },
  ],
};

/** Requests of another kind are not refused, since a tester without `const` sends them: that has its own case. */
const isPlant = (text: string): boolean => typeof membersOf(text)?.['name'] === 'string';

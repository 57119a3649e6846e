import type { CaseText, Checks } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const body = { type: 'PlantCreated', name: 'Monstera' };
const longer = { ...body, secret: 's' };
const schema = '/paths/~1events/post/requestBody/content/application~1json/schema';

const validate: Checks['validate'] = [
  { check: 'an event', isBasic: true, operation: 'addEvent', body, isValid: true },
  { check: 'an event with another member', operation: 'addEvent', body: longer, isValid: false },
  {
    check: 'a response with an event',
    isBasic: true,
    side: 'response',
    operation: 'addEvent',
    body,
    isValid: true,
  },
  {
    check: 'a response with another member',
    side: 'response',
    operation: 'addEvent',
    body: longer,
    isValid: false,
  },
];

export const feature: CaseText = {
  name: '`unevaluatedProperties` beside a discriminator',
  since: '3.1',
  meaning:
    'An object has only the members of the branch that its discriminator names. The branches themselves stay open, so that others can extend them.',
  why: 'A secret that is added to an event by mistake is found by a validator.',
  use: { document: 'openapi.yaml', pointers: ['/components/schemas/Event/additionalProperties'] },
  checks: {
    validate,
    typeCheck: [
      { check: 'the type of an event', isBasic: true, schema: 'Event', literal: body, isValid: true },
      { check: 'the type with another member', schema: 'Event', literal: longer, isValid: false },
    ],
    call: [
      {
        check: 'a call with an event',
        isBasic: true,
        operation: 'addEvent',
        arguments: { body },
        request: { method: 'POST', target: '/events', contentType: 'application/json', body: JSON.stringify(body) },
        response: { body: JSON.stringify(body) },
        value: body,
      },
    ],
    lint: [
      {
        check: 'an example with another member',
        level: 'example',
        pointer: '/paths/~1events/post/requestBody/content/application~1json/example',
        value: longer,
      },
    ],
    resolve: [{ check: 'the keyword', pointer: `${schema}/unevaluatedProperties`, value: false }],
    test: {
      right: ({ body: text }) => (isEvent(text) ? Response.json(body) : refused()),
      broken: [
        {
          check: 'a server that answers another member',
          server: ({ body: text }) => (isEvent(text) ? Response.json(longer) : refused()),
        },
      ],
    },
  },
  variants: [
    {
      // It has the same keywords as the dialect of OpenAPI, which is the default.
      name: 'with the dialect of JSON Schema',
      changes: { '/jsonSchemaDialect': 'https://json-schema.org/draft/2020-12/schema' },
      checks: {
        validate,
        // A compiler that refuses each other member has not read the keyword.
        typeCheck: [
          {
            check: 'the type of an open branch with another member',
            isBasic: true,
            schema: 'PlantCreated',
            literal: longer,
            isValid: true,
            ignored: 'refused',
          },
        ],
      },
    },
  ],
};

const isEvent = (text: string): boolean => {
  const { type, name, ...others } = membersOf(text) ?? {};
  const isKind = type === 'PlantDeleted' ? name === undefined : type === 'PlantCreated' && typeof name === 'string';
  return isKind && Object.keys(others).length === 0;
};

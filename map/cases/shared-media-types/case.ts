import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const body = { name: 'Monstera' };
const content = '/paths/~1plant/put/requestBody/content/application~1json';

// The shared media type, and where it is used.
const places = ['/components/mediaTypes/Plant', content, '/paths/~1plant/put/responses/200/content/application~1json'];

export const feature: CaseText = {
  name: '`components.mediaTypes`',
  since: '3.2',
  meaning: 'Bodies refer to a media type that they share, with its schema and its examples.',
  why: 'A body that several operations have is described once, with its examples.',
  use: {
    document: 'openapi-3.2.json',
    pointers: ['/components/mediaTypes'],
    tests: [
      {
        file: 'tests/house/openapi-3.2.test.ts',
        test: 'the 3.2 document without its additions is the 3.1 document',
      },
    ],
  },
  checks: {
    diff: [
      {
        check: 'another type in the shared media type',
        pointer: '/components/mediaTypes/Plant/schema/properties/name/type',
        value: 'integer',
      },
    ],
    validate: [
      { check: 'a body', isBasic: true, operation: 'setPlant', body, isValid: true },
      { check: 'a wrong body', operation: 'setPlant', body: { name: 5 }, isValid: false },
      { check: 'a response', isBasic: true, side: 'response', operation: 'setPlant', body, isValid: true },
      { check: 'a wrong response', side: 'response', operation: 'setPlant', body: { name: 5 }, isValid: false },
    ],
    typeCheck: [
      { check: 'the type of a body', isBasic: true, operation: 'setPlant', literal: body, isValid: true },
      { check: 'the type of a wrong body', operation: 'setPlant', literal: { name: 5 }, isValid: false },
    ],
    call: [
      {
        check: 'a call with a body',
        isBasic: true,
        operation: 'setPlant',
        arguments: { body },
        request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(body) },
        response: { body: JSON.stringify(body) },
      },
    ],
    code: [{ check: 'the description of a member', text: 'How the plant is called' }],
    lint: [
      {
        check: 'a media type that does not exist',
        level: 'reference',
        pointer: `${content}/$ref`,
        value: '#/components/mediaTypes/Nothing',
      },
      {
        check: 'an unknown type in the shared schema',
        level: 'schema',
        pointer: '/components/mediaTypes/Plant/schema/properties/name/type',
        value: 'name',
        at: places,
      },
      {
        check: 'a shared example that does not match its schema',
        level: 'example',
        pointer: '/components/mediaTypes/Plant/examples',
        value: { wrong: { value: { name: 5 } } },
        at: places,
      },
    ],
    resolve: [{ check: 'the type of a member', pointer: `${content}/schema/properties/name/type`, value: 'string' }],
    test: {
      right: ({ body: text }) => (isPlant(text) ? Response.json(body) : refused()),
      sends: [
        {
          check: 'a request with a body that matches the schema',
          expected: '{"name":"…"}',
          request: ({ body: text }) => isPlant(text),
        },
      ],
      broken: [
        {
          check: 'a server that answers a wrong plant',
          server: ({ body: text }) => (isPlant(text) ? Response.json({ name: 5 }) : refused()),
        },
      ],
    },
    show: [{ check: 'the description of a member', text: 'How the plant is called' }],
  },
};

const isPlant = (text: string): boolean => typeof membersOf(text)?.['name'] === 'string';

import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const body = { name: 'Monstera', path: '/monstera', tag: '"1"' };
const wrong = {
  'a control character': { ...body, name: 'Mon\u0007stera' },
  'a path without a slash': { ...body, path: 'monstera' },
  'a tag without quotes': { ...body, tag: '1' },
};

export const feature: CaseText = {
  name: '`pattern` in the dialect of ECMA-262',
  since: '3.0',
  meaning: 'A text matches a regular expression of JavaScript, which may have escapes such as `\\u0000` and `\\/`.',
  why: 'A name has no control characters, and a tag is in quotes.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/schemas/NewPlant/properties/tag/pattern', '/components/headers/Location/schema/pattern'],
    tests: [
      { file: 'tests/house/document.test.ts', test: 'the document states the limits that the service enforces' },
      {
        file: 'tests/house/conformance.test.ts',
        test: 'a response that does not conform to the document fails the check, with the reason',
      },
    ],
  },
  checks: {
    validate: [
      { check: 'a body that matches', isBasic: true, operation: 'setPlant', body, isValid: true },
      ...Object.entries(wrong).map(([check, value]) => ({
        check,
        operation: 'setPlant',
        body: value,
        isValid: false,
      })),
      {
        check: 'a response that matches',
        isBasic: true,
        side: 'response',
        operation: 'setPlant',
        body,
        isValid: true,
      },
      {
        check: 'a response with a control character',
        side: 'response',
        operation: 'setPlant',
        body: wrong['a control character'],
        isValid: false,
      },
    ],
    typeCheck: [{ check: 'the type of a plant', isBasic: true, schema: 'Plant', literal: body, isValid: true }],
    call: [
      {
        check: 'a call with texts that match',
        isBasic: true,
        operation: 'setPlant',
        arguments: { body },
        request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(body) },
        response: { body: JSON.stringify(body) },
        value: body,
      },
    ],
    lint: [
      {
        check: 'a pattern that is a number',
        level: 'schema',
        pointer: '/components/schemas/Plant/properties/name/pattern',
        value: 5,
      },
      {
        check: 'an example that does not match',
        level: 'example',
        pointer: '/paths/~1plant/put/responses/200/content/application~1json/examples',
        value: { wrong: { value: wrong['a path without a slash'] } },
      },
    ],
    resolve: [
      {
        check: 'the pattern with escapes',
        pointer: '/paths/~1plant/put/requestBody/content/application~1json/schema/properties/name/pattern',
        value: '^[^\\u0000-\\u001f]+$',
      },
    ],
    test: {
      right: ({ body: text }) => (isPlant(text) ? Response.json(body) : refused()),
      sends: [
        {
          check: 'a request that matches the patterns',
          expected: JSON.stringify(body),
          request: ({ body: text }) => isPlant(text),
        },
      ],
      broken: [
        {
          check: 'a server that answers a tag without quotes',
          server: ({ body: text }) => (isPlant(text) ? Response.json(wrong['a tag without quotes']) : refused()),
        },
      ],
    },
  },
};

const isPlant = (text: string): boolean => {
  const { name, path, tag } = membersOf(text) ?? {};
  if (typeof name !== 'string' || typeof path !== 'string' || typeof tag !== 'string') return false;
  const hasControl = [...name].some((character) => character < ' ');
  return name !== '' && !hasControl && /^\/[a-z]+$/.test(path) && /^"[0-9]+"$/.test(tag);
};

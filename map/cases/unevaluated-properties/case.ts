import type { CaseText, Checks } from '../../measure/case.ts';

const body = { id: 1, name: 'Monstera' };

const validate: Checks['validate'] = [
  { check: 'a body with the members of both parts', isBasic: true, operation: 'addPlant', body, isValid: true },
  { check: 'a body with another member', operation: 'addPlant', body: { ...body, secret: '' }, isValid: false },
  {
    check: 'a response with the members of both parts',
    isBasic: true,
    side: 'response',
    operation: 'addPlant',
    body,
    isValid: true,
  },
  {
    check: 'a response with another member',
    side: 'response',
    operation: 'addPlant',
    body: { ...body, secret: '' },
    isValid: false,
  },
];

export const feature: CaseText = {
  name: '`unevaluatedProperties` over `allOf`',
  since: '3.1',
  meaning:
    'With `unevaluatedProperties: false`, an object has only the members that its schema or a part of an `allOf` describes.',
  why: 'A schema that extends another one can still refuse members that are not documented, such as a secret in a response.',
  use: { document: 'openapi.yaml', pointers: ['/components/schemas/PlantRecord/unevaluatedProperties'] },
  checks: {
    diff: [
      {
        check: 'a schema that is opened',
        pointer: '/components/schemas/NamedPlant/unevaluatedProperties',
        value: undefined,
      },
    ],
    validate,
    typeCheck: [
      { check: 'the type of a plant', isBasic: true, schema: 'NamedPlant', literal: body, isValid: true },
      { check: 'the type with another member', schema: 'NamedPlant', literal: { ...body, secret: '' }, isValid: false },
    ],
    call: [
      {
        check: 'a call with the members of both parts',
        isBasic: true,
        operation: 'addPlant',
        arguments: { body },
        request: {
          method: 'POST',
          target: '/plants',
          contentType: 'application/json',
          body: '{"id":1,"name":"Monstera"}',
        },
        response: { body: '{"id":1,"name":"Monstera"}' },
        value: body,
      },
    ],
    lint: [
      {
        check: 'an example with another member',
        level: 'example',
        pointer: '/paths/~1plants/post/requestBody/content/application~1json/example',
        value: { ...body, secret: '' },
      },
    ],
    resolve: [
      {
        check: 'the keyword',
        pointer: '/paths/~1plants/post/requestBody/content/application~1json/schema/unevaluatedProperties',
        value: false,
      },
    ],
    test: {
      right: ({ body: text }) => (isPlant(text) ? Response.json(body) : new Response(null, { status: 400 })),
      broken: [
        {
          check: 'a server that answers another member',
          server: ({ body: text }) =>
            isPlant(text) ? Response.json({ ...body, secret: '' }) : new Response(null, { status: 400 }),
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
            check: 'the type of the open part with another member',
            isBasic: true,
            schema: 'Plant',
            literal: { id: 1, secret: '' },
            isValid: true,
            ignored: 'refused',
          },
        ],
      },
    },
  ],
};

const isPlant = (text: string): boolean => {
  try {
    const value = JSON.parse(text);
    return Number.isInteger(value.id) && typeof value.name === 'string' && Object.keys(value).length === 2;
  } catch {
    return false;
  }
};

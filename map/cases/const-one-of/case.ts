import type { CaseText } from '../../measure/case.ts';

const body = { type: 'plant.created', name: 'Monstera' };

export const feature: CaseText = {
  name: '`const` and a discriminated `oneOf`',
  since: '3.1',
  meaning:
    'A value has one of several schemas, and a member with a constant tells which. `const` is new in OpenAPI 3.1.',
  why: 'A log has several kinds of events, and a reader learns from one member what else an event has.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/schemas/Event/oneOf', '/components/schemas/PlantCreated/properties/type/const'],
  },
  checks: {
    validate: [
      { check: 'an event of the first kind', isBasic: true, operation: 'addEvent', body, isValid: true },
      {
        check: 'an event of the second kind',
        isBasic: true,
        operation: 'addEvent',
        body: { type: 'plant.deleted' },
        isValid: true,
      },
      {
        check: 'an event of an unknown kind',
        operation: 'addEvent',
        body: { ...body, type: 'plant.watered' },
        isValid: false,
      },
      {
        check: 'an event without a member of its kind',
        operation: 'addEvent',
        body: { type: 'plant.created' },
        isValid: false,
      },
      {
        check: 'a response with an event',
        isBasic: true,
        side: 'response',
        operation: 'addEvent',
        body,
        isValid: true,
      },
      {
        check: 'a response with an unknown kind',
        side: 'response',
        operation: 'addEvent',
        body: { ...body, type: 'plant.watered' },
        isValid: false,
      },
    ],
    typeCheck: [
      { check: 'the type of an event', isBasic: true, schema: 'Event', literal: body, isValid: true },
      {
        check: 'the type of an unknown kind',
        schema: 'Event',
        literal: { ...body, type: 'plant.watered' },
        isValid: false,
      },
      {
        check: 'the type without a member of its kind',
        schema: 'Event',
        literal: { type: 'plant.created' },
        isValid: false,
      },
    ],
    call: [
      {
        check: 'a call with an event of the second kind',
        isBasic: true,
        operation: 'addEvent',
        arguments: { body: { type: 'plant.deleted' } },
        request: {
          method: 'POST',
          target: '/events',
          contentType: 'application/json',
          body: '{"type":"plant.deleted"}',
        },
        response: { body: '{"type":"plant.created","name":"Monstera"}' },
        value: body,
      },
    ],
    code: [{ check: 'the constant of the second kind', text: 'plant.deleted' }],
    lint: [
      {
        check: 'an example of an unknown kind',
        level: 'example',
        pointer: '/paths/~1events/post/requestBody/content/application~1json/example',
        value: { ...body, type: 'plant.watered' },
      },
      {
        check: 'an example without a member of its kind',
        level: 'example',
        pointer: '/paths/~1events/post/requestBody/content/application~1json/example',
        value: { type: 'plant.created' },
      },
    ],
    resolve: [
      {
        check: 'the constant of the second branch',
        pointer: '/paths/~1events/post/requestBody/content/application~1json/schema/oneOf/1/properties/type/const',
        value: 'plant.deleted',
      },
    ],
    sample: [{ check: 'a sample of an event', schema: 'Event' }],
    test: {
      right: ({ body: text }) => (isEvent(text) ? Response.json(body) : new Response(null, { status: 400 })),
      broken: [
        {
          check: 'a server that answers an event of an unknown kind',
          server: ({ body: text }) =>
            isEvent(text) ? Response.json({ ...body, type: 'plant.watered' }) : new Response(null, { status: 400 }),
        },
      ],
    },
  },
};

const isEvent = (text: string): boolean => {
  try {
    const { type, name } = JSON.parse(text) ?? {};
    return type === 'plant.deleted' || (type === 'plant.created' && typeof name === 'string');
  } catch {
    return false;
  }
};

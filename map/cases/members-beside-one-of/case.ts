import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const body = { type: 'plant.created', name: 'Monstera', sequence: 1 };
const without = { type: 'plant.created', name: 'Monstera' };
const wrong = { ...body, sequence: 'first' };
const schema = '/paths/~1events/post/requestBody/content/application~1json/schema';

export const feature: CaseText = {
  name: 'properties beside a discriminated `oneOf`',
  since: '3.0',
  meaning: 'A value has the members of one of several schemas, and members that all of them share beside it.',
  why: 'Every event has a number, whatever else it has.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/schemas/Event/properties'],
    tests: [
      {
        file: 'tests/house/document.test.ts',
        test: 'a reference to a shared schema or parameter has its own description',
      },
      {
        file: 'tests/house/examples.test.ts',
        test: 'the request of the example $key gets the documented response',
      },
    ],
  },
  changesFor30: {
    '/components/schemas/PlantCreated/properties/type': { type: 'string', enum: ['plant.created'] },
    '/components/schemas/PlantDeleted/properties/type': { type: 'string', enum: ['plant.deleted'] },
  },
  checks: {
    validate: [
      { check: 'an event', isBasic: true, operation: 'addEvent', body, isValid: true },
      { check: 'an event without the shared member', operation: 'addEvent', body: without, isValid: false },
      {
        check: 'an event of the second kind without the shared member',
        operation: 'addEvent',
        body: { type: 'plant.deleted' },
        isValid: false,
      },
      { check: 'an event with a wrong shared member', operation: 'addEvent', body: wrong, isValid: false },
      {
        check: 'a response with an event',
        isBasic: true,
        side: 'response',
        operation: 'addEvent',
        body,
        isValid: true,
      },
      {
        check: 'a response without the shared member',
        side: 'response',
        operation: 'addEvent',
        body: without,
        isValid: false,
      },
    ],
    // A type without the shared member refuses a wrong one too, so that is not asked.
    typeCheck: [
      {
        check: 'the type of an event with the shared member',
        schema: 'Event',
        literal: body,
        isValid: true,
        ignored: 'refused',
      },
      { check: 'the type without the shared member', schema: 'Event', literal: without, isValid: false },
    ],
    call: [
      {
        check: 'a call with the shared member',
        isBasic: true,
        operation: 'addEvent',
        arguments: { body },
        request: { method: 'POST', target: '/events', contentType: 'application/json', body: JSON.stringify(body) },
        response: { body: JSON.stringify(body) },
        value: body,
      },
    ],
    code: [{ check: 'the shared member', text: 'sequence' }],
    resolve: [{ check: 'the shared member', pointer: `${schema}/properties/sequence/type`, value: 'integer' }],
    test: {
      right: ({ body: text }) => (isEvent(text) ? Response.json(body) : refused()),
      broken: [
        {
          check: 'a server that answers without the shared member',
          server: ({ body: text }) => (isEvent(text) ? Response.json(without) : refused()),
        },
      ],
    },
  },
};

const isEvent = (text: string): boolean => {
  const { type, name, sequence } = membersOf(text) ?? {};
  const isKind = type === 'plant.deleted' || (type === 'plant.created' && typeof name === 'string');
  return isKind && Number.isInteger(sequence);
};

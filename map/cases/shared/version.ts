/** The checks of a document that says its version of OpenAPI and uses nothing else that is new. */
import type { Checks } from '../../measure/case.ts';
import { membersOf, refused } from './body.ts';

const body = { name: 'Monstera' };

export const checksOfVersion = (title: string): Checks => ({
  load: 'feature',
  validate: [
    { check: 'a body', operation: 'setPlant', body, isValid: true },
    { check: 'a wrong body', operation: 'setPlant', body: { name: 5 }, isValid: false },
    { check: 'a response', side: 'response', operation: 'setPlant', body, isValid: true },
    { check: 'a wrong response', side: 'response', operation: 'setPlant', body: { name: 5 }, isValid: false },
  ],
  typeCheck: [
    { check: 'the type of a plant', schema: 'Plant', literal: body, isValid: true },
    { check: 'the type of a wrong plant', schema: 'Plant', literal: { name: 5 }, isValid: false },
  ],
  call: [
    {
      check: 'a call',
      operation: 'setPlant',
      arguments: { body },
      request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(body) },
      response: { body: JSON.stringify(body) },
      value: body,
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
      check: 'the type of the name',
      pointer: '/paths/~1plant/put/requestBody/content/application~1json/schema/properties/name/type',
      value: 'string',
    },
  ],
  test: {
    right: ({ body: text }) => (typeof membersOf(text)?.['name'] === 'string' ? Response.json(body) : refused()),
    broken: [
      {
        check: 'a server that answers a wrong plant',
        server: ({ body: text }) =>
          typeof membersOf(text)?.['name'] === 'string' ? Response.json({ name: 5 }) : refused(),
      },
    ],
  },
  show: [{ check: 'the title', text: title }],
  respond: [
    {
      check: 'the answer of the mock',
      method: 'PUT',
      target: '/plant',
      body,
      response: { contentType: 'application/json' },
    },
  ],
});

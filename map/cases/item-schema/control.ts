import type { Handler } from '../../measure/abilities/test.ts';
import type { ControlText } from '../../measure/case.ts';

const contentOf = (schema: object) => ({ 'application/json': { schema } });
const member = (name: string, schema: object) => ({ type: 'object', required: [name], properties: { [name]: schema } });

const serverOf =
  (name: unknown, event: string): Handler =>
  ({ target }) =>
    Response.json(target === '/live' ? { event } : [{ name }]);

const contentType = 'application/json';
const items = { side: 'response', operation: 'listEvents', contentType } as const;
const live = { side: 'response', operation: 'followEvents', contentType } as const;

export const control: ControlText = {
  name: 'a list of the items in JSON, and one event in JSON',
  changes: {
    '/paths/~1events/get/responses/200/content': contentOf({
      type: 'array',
      items: member('name', { type: 'string', description: 'The name of the streamed event' }),
    }),
    '/paths/~1live/get/responses/200/content': contentOf(
      member('event', { type: 'string', enum: ['plant'], description: 'What kind of event came' }),
    ),
  },
  checks: {
    validate: [
      { check: 'a stream of right items', ...items, body: [{ name: 'a' }], isBasic: true, isValid: true },
      { check: 'a stream with a wrong item', ...items, body: [{ name: 'a' }, { name: 5 }], isValid: false },
      { check: 'server-sent events', ...live, body: { event: 'plant' }, isBasic: true, isValid: true },
      { check: 'a wrong server-sent event', ...live, body: { event: 'tree' }, isValid: false },
    ],
    code: [{ check: 'the type of an item, with its description', text: 'What kind of event came' }],
    typeCheck: [{ check: 'the type of a stream of wrong items', ...items, literal: [{ name: 5 }], isValid: false }],
    test: {
      right: serverOf('a', 'plant'),
      broken: [
        { check: 'a server that streams a wrong line', server: serverOf(5, 'plant') },
        { check: 'a server that streams a wrong server-sent event', server: serverOf('a', 'tree') },
      ],
    },
  },
};

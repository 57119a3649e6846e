import type { Handler } from '../../measure/abilities/test.ts';
import type { CaseText } from '../../measure/case.ts';

const itemSchema = '/paths/~1events/get/responses/200/content/application~1jsonl/itemSchema';

export const feature: CaseText = {
  name: '`itemSchema` of a stream',
  since: '3.2',
  meaning: 'A stream has a schema for each of its items: a line of JSON Lines, or an event of server-sent events.',
  why: 'A reader of a live stream needs the schema of an item; the whole stream never ends.',
  use: {
    document: 'openapi-3.2.json',
    pointers: ['/paths/~1events/get/responses/200/content/text~1event-stream/itemSchema'],
  },
  checks: {
    diff: [
      {
        check: 'another type in an item',
        pointer: '/paths/~1events/get/responses/200/content/application~1jsonl/itemSchema/properties/name/type',
        value: 'integer',
      },
    ],
    validate: [
      {
        check: 'a stream of right items',
        side: 'response',
        operation: 'listEvents',
        contentType: 'application/jsonl',
        body: '{"name":"a"}\n{"name":"b"}\n',
        isBasic: true,
        isValid: true,
      },
      {
        check: 'a stream with a wrong item',
        side: 'response',
        operation: 'listEvents',
        contentType: 'application/jsonl',
        body: '{"name":"a"}\n{"name":5}\n',
        isValid: false,
      },
      {
        check: 'server-sent events',
        side: 'response',
        operation: 'followEvents',
        contentType: 'text/event-stream',
        body: 'event: plant\ndata: 1\n\n',
        isBasic: true,
        isValid: true,
      },
      {
        check: 'a wrong server-sent event',
        side: 'response',
        operation: 'followEvents',
        contentType: 'text/event-stream',
        body: 'event: tree\ndata: 1\n\n',
        isValid: false,
      },
    ],
    code: [{ check: 'the type of an item, with its description', text: 'What kind of event came' }],
    typeCheck: [
      {
        check: 'the type of a stream of wrong items',
        side: 'response',
        operation: 'listEvents',
        contentType: 'application/jsonl',
        literal: [{ name: 5 }],
        isValid: false,
      },
    ],
    lint: [
      {
        check: 'an item schema with an unresolved reference',
        level: 'reference',
        pointer: itemSchema,
        value: { $ref: '#/components/schemas/Nothing' },
      },
      { check: 'an item schema that is no schema', level: 'schema', pointer: itemSchema, value: 'Event' },
    ],
    resolve: [{ check: 'the schema of an item', pointer: `${itemSchema}/properties/name/type`, value: 'string' }],
    show: [
      { check: 'the schema of a line', text: 'The name of the streamed event' },
      { check: 'the schema of a server-sent event', text: 'What kind of event came' },
    ],
    test: {
      right: serverOf('a', 'plant'),
      broken: [
        { check: 'a server that streams a wrong line', server: serverOf(5, 'plant') },
        { check: 'a server that streams a wrong server-sent event', server: serverOf('a', 'tree') },
      ],
    },
  },
};

function serverOf(name: unknown, event: string): Handler {
  return ({ target }) =>
    target === '/live'
      ? new Response(`event: ${event}\ndata: 1\n\n`, { headers: { 'content-type': 'text/event-stream' } })
      : new Response(`${JSON.stringify({ name })}\n`, { headers: { 'content-type': 'application/jsonl' } });
}

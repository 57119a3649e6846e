import type { CaseText } from '../../map/case.ts';

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
    ],
    lint: [
      {
        check: 'an item schema with an unresolved reference',
        level: 'reference',
        pointer: `${itemSchema}/$ref`,
        value: '#/components/schemas/Nothing',
      },
      { check: 'an item schema that is no schema', level: 'schema', pointer: itemSchema, value: 'Event' },
    ],
    resolve: [{ check: 'the schema of an item', pointer: `${itemSchema}/properties/name/type`, value: 'string' }],
    show: [{ check: 'the schema of an item', text: 'The name of the streamed event' }],
    test: {
      right: () => new Response('{"name":"a"}\n', { headers: { 'content-type': 'application/jsonl' } }),
      broken: [
        {
          check: 'a server that streams a wrong item',
          server: () => new Response('{"name":5}\n', { headers: { 'content-type': 'application/jsonl' } }),
        },
      ],
    },
  },
};

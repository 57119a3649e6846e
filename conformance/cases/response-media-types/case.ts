import type { Handler } from '../../map/abilities/test.ts';
import type { CaseText } from '../../map/case.ts';

const stream = 'data: 1\n\n';
const response = { side: 'response', operation: 'listEvents' } as const;
const type = '/paths/~1events/get/responses/200/content/text~1event-stream/schema/type';

/** It answers JSON to who accepts nothing else. */
const serverOf =
  (json: unknown): Handler =>
  ({ headers: { accept = '*/*' } }) =>
    /json/.test(accept) && !/\*\/\*|event-stream/.test(accept)
      ? Response.json(json)
      : new Response(stream, { headers: { 'content-type': 'text/event-stream' } });

export const feature: CaseText = {
  name: 'two media types for one response',
  since: '3.0',
  meaning: 'A response may have several media types, each with its schema. The Accept header of the request chooses.',
  why: 'The same list is a page in JSON, or a live stream.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/paths/~1events/get/responses/200/content'],
    tests: [{ file: 'tests/http/events/live.test.ts', test: 'the response to Accept: %p has the media type %s' }],
  },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#media-type-object',
    quotes: ['The schema defining the content of the request, response, parameter, or header.'],
  },
  checks: {
    validate: [
      { check: 'a response in JSON', ...response, isBasic: true, body: { count: 1 }, isValid: true },
      { check: 'a wrong response in JSON', ...response, isBasic: true, body: { count: 'few' }, isValid: false },
      {
        check: 'a response that is a stream',
        ...response,
        contentType: 'text/event-stream',
        body: stream,
        isValid: true,
      },
      { check: 'a response of another media type', ...response, contentType: 'text/csv', body: stream, isValid: false },
    ],
    typeCheck: [
      { check: 'the type of a response in JSON', ...response, isBasic: true, literal: { count: 1 }, isValid: true },
      { check: 'the type of a response without its member', ...response, isBasic: true, literal: {}, isValid: false },
      {
        check: 'the type of a response that is a stream',
        ...response,
        contentType: 'text/event-stream',
        literal: stream,
        isValid: true,
        ignored: 'refused',
      },
    ],
    call: [
      {
        check: 'a call that gets JSON',
        isBasic: true,
        operation: 'listEvents',
        request: { method: 'GET', target: '/events' },
        response: { body: '{"count":1}' },
        value: { count: 1 },
      },
      {
        check: 'a call that gets a stream',
        operation: 'listEvents',
        response: { contentType: 'text/event-stream', body: stream },
        value: stream,
        // It parses every response as JSON: that is an error, or no value.
        ignoredValues: [undefined, null],
      },
    ],
    lint: [{ check: 'an unknown type in the second schema', level: 'schema', pointer: type, value: 'stream' }],
    resolve: [{ check: 'the type of the stream', pointer: type, value: 'string' }],
    test: {
      right: serverOf({ count: 1 }),
      broken: [{ check: 'a server that answers wrong JSON', server: () => Response.json({ count: 'few' }) }],
    },
    show: [{ check: 'the second media type', text: 'text/event-stream' }],
    respond: [
      {
        check: 'the answer in JSON',
        isBasic: true,
        target: '/events',
        headers: { accept: 'application/json' },
        response: { contentType: 'application/json' },
      },
      {
        check: 'the answer as a stream',
        target: '/events',
        headers: { accept: 'text/event-stream' },
        response: { contentType: 'text/event-stream' },
      },
    ],
  },
};

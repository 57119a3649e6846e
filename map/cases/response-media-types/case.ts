import type { Handler } from '../../measure/abilities/test.ts';
import type { CaseText } from '../../measure/case.ts';

const lines = 'planted\nwatered\n';
const response = { side: 'response', operation: 'listEvents' } as const;
const type = '/paths/~1events/get/responses/200/content/text~1plain/schema/type';

/** It answers JSON only to a client that does not accept the text. */
const serverOf =
  (json: unknown): Handler =>
  ({ headers: { accept = '*/*' } }) =>
    /json/.test(accept) && !/\*\/\*|text\//.test(accept)
      ? Response.json(json)
      : new Response(lines, { headers: { 'content-type': 'text/plain' } });

// Tools differ in what the schema of `text/event-stream` means: the text, or each event. The second type is one of plain text.
export const feature: CaseText = {
  name: 'two media types for one response',
  since: '3.0',
  meaning: 'A response may have several media types, each with its schema. The Accept header of the request chooses.',
  why: 'The same list is a page in JSON, or lines that a program reads one by one.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/paths/~1events/get/responses/200/content'],
    tests: [{ file: 'tests/events/live.test.ts', test: 'the response to Accept: %p has the media type %s' }],
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
        check: 'a response that is a text',
        ...response,
        contentType: 'text/plain',
        body: lines,
        isValid: true,
      },
      { check: 'a response of another media type', ...response, contentType: 'text/csv', body: lines, isValid: false },
    ],
    typeCheck: [
      { check: 'the type of a response in JSON', ...response, isBasic: true, literal: { count: 1 }, isValid: true },
      { check: 'the type of a response without its member', ...response, isBasic: true, literal: {}, isValid: false },
      {
        check: 'the type of a response that is a text',
        ...response,
        contentType: 'text/plain',
        literal: lines,
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
        check: 'a call that gets a text',
        operation: 'listEvents',
        response: { contentType: 'text/plain', body: lines },
        value: lines,
        // It parses every response as JSON: that is an error, or no value.
        ignoredValues: [undefined, null],
      },
    ],
    lint: [{ check: 'an unknown type in the second schema', level: 'schema', pointer: type, value: 'text' }],
    resolve: [{ check: 'the type of the text', pointer: type, value: 'string' }],
    test: {
      right: serverOf({ count: 1 }),
      broken: [{ check: 'a server that answers wrong JSON', server: () => Response.json({ count: 'few' }) }],
    },
    show: [{ check: 'the second media type', text: 'text/plain' }],
    respond: [
      {
        check: 'the answer in JSON',
        isBasic: true,
        target: '/events',
        headers: { accept: 'application/json' },
        response: { contentType: 'application/json' },
      },
      {
        check: 'the answer as a text',
        target: '/events',
        headers: { accept: 'text/plain' },
        response: { contentType: 'text/plain' },
      },
    ],
  },
};

import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const merge = { operation: 'changePlant', contentType: 'application/merge-patch+json' };
const change = { reason: 'repotted' };
const plant = { name: 'Monstera' };
const both = { ...change, ...plant };
const request = { method: 'PATCH', target: '/plant' };
const text = '{"name":"Monstera","reason":"repotted"}';

export const feature: CaseText = {
  name: 'two media types for one request body',
  since: '3.0',
  meaning: 'A body may have several media types, each with its schema. The Content-Type says which one it has.',
  why: 'A change by RFC 7396 has the media type `application/merge-patch+json`, and many clients can only send `application/json`.',
  use: { document: 'openapi.yaml', pointers: ['/paths/~1plants~1{id}/patch/requestBody/content'] },
  // A tool that reads the first media type alone answers each basic check right, and no other.
  checks: {
    diff: [
      {
        check: 'a media type that is gone',
        pointer: '/paths/~1plant/patch/requestBody/content/application~1merge-patch+json',
        value: undefined,
        isBreaking: true,
      },
    ],
    validate: [
      { check: 'a body as JSON', isBasic: true, operation: 'changePlant', body: plant, isValid: true },
      { check: 'a wrong body as JSON', isBasic: true, operation: 'changePlant', body: change, isValid: false },
      { check: 'a merge patch that is right as JSON too', isBasic: true, ...merge, body: both, isValid: true },
      { check: 'a merge patch', ...merge, body: change, isValid: true, ignored: 'refused' },
      { check: 'a merge patch that is right only as JSON', ...merge, body: plant, isValid: false },
    ],
    typeCheck: [
      { check: 'the type of a body as JSON', isBasic: true, operation: 'changePlant', literal: plant, isValid: true },
      { check: 'the type of a merge patch', ...merge, literal: change, isValid: true, ignored: 'refused' },
      { check: 'the type of a merge patch that is right only as JSON', ...merge, literal: plant, isValid: false },
    ],
    call: [
      {
        check: 'a call with JSON',
        isBasic: true,
        operation: 'changePlant',
        arguments: { body: both, contentType: 'application/json' },
        request: { ...request, body: text },
      },
    ],
    test: {
      right: ({ headers, body }) => answerTo(headers['content-type'] ?? '', body),
      sends: [
        {
          check: 'a request with JSON',
          isBasic: true,
          expected: 'Content-Type: application/json',
          request: ({ method, contentType }) => method === 'PATCH' && contentType === 'application/json',
        },
        {
          check: 'a request with a merge patch',
          expected: 'Content-Type: application/merge-patch+json',
          request: ({ method, contentType }) => method === 'PATCH' && contentType === 'application/merge-patch+json',
        },
      ],
    },
  },
  variants: [
    {
      name: 'between two others',
      changes: {
        '/paths/~1plant/patch/requestBody/content/application~1vnd.plants+json': {
          schema: { $ref: '#/components/schemas/Plant' },
        },
      },
      checks: {
        call: [
          {
            // A client that always sends the first media type or the last one does not choose.
            check: 'a call that chooses the merge patch',
            operation: 'changePlant',
            arguments: { body: both, contentType: 'application/merge-patch+json' },
            request: { ...request, contentType: 'application/merge-patch+json', body: text },
            ignored: [
              { ...request, contentType: 'application/json' },
              { ...request, contentType: 'application/vnd.plants+json' },
            ],
          },
        ],
      },
    },
  ],
};

/** The member that the schema of each media type requires. */
const required: Readonly<Record<string, string>> = {
  'application/json': 'name',
  'application/merge-patch+json': 'reason',
};

const answerTo = (contentType: string, text: string): Response => {
  const body = membersOf(text);
  const isText = (name: string) => typeof body?.[name] === 'string';
  const member = required[contentType];
  const isRight =
    member !== undefined &&
    isText(member) &&
    ['name', 'reason'].every((name) => isText(name) || body?.[name] === undefined);
  return isRight ? new Response(null, { status: 204 }) : refused();
};

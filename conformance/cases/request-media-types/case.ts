import type { CaseText } from '../../map/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const body = { name: 'Monstera' };
const request = { method: 'PATCH', target: '/plant', body: '{"name":"Monstera"}' };

export const feature: CaseText = {
  name: 'two media types for one request body',
  since: '3.0',
  meaning: 'A body may have several media types, each with its schema. The Content-Type says which one it has.',
  why: 'A change by RFC 7396 has the media type `application/merge-patch+json`, and many clients can only send `application/json`.',
  use: { document: 'openapi.yaml', pointers: ['/paths/~1plants~1{id}/patch/requestBody/content'] },
  checks: {
    validate: [
      { check: 'a body as JSON', isBasic: true, operation: 'changePlant', body, isValid: true },
      {
        check: 'a body as merge patch',
        operation: 'changePlant',
        contentType: 'application/merge-patch+json',
        body,
        isValid: true,
      },
      {
        check: 'a wrong body as merge patch',
        operation: 'changePlant',
        contentType: 'application/merge-patch+json',
        body: { name: 5 },
        isValid: false,
      },
      {
        check: 'a merge patch without the member, which is optional there',
        operation: 'changePlant',
        contentType: 'application/merge-patch+json',
        body: {},
        isValid: true,
      },
      {
        check: 'JSON without the member, which is required there',
        operation: 'changePlant',
        body: {},
        isValid: false,
      },
    ],
    typeCheck: [
      {
        check: 'the type of a body as merge patch',
        operation: 'changePlant',
        contentType: 'application/merge-patch+json',
        literal: body,
        isValid: true,
        ignored: 'refused',
      },
      {
        check: 'the type of a wrong body as merge patch',
        operation: 'changePlant',
        contentType: 'application/merge-patch+json',
        literal: { name: 5 },
        isValid: false,
      },
      { check: 'the type of a body as JSON', isBasic: true, operation: 'changePlant', literal: body, isValid: true },
    ],
    call: [
      {
        check: 'a call that chooses the merge patch',
        operation: 'changePlant',
        arguments: { body, contentType: 'application/merge-patch+json' },
        request: { ...request, contentType: 'application/merge-patch+json' },
        ignored: [{ ...request, contentType: 'application/json' }],
      },
      {
        check: 'a call that chooses JSON',
        operation: 'changePlant',
        arguments: { body, contentType: 'application/json' },
        request: { ...request, contentType: 'application/json' },
        ignored: [{ ...request, contentType: 'application/merge-patch+json' }],
      },
    ],
    test: {
      right: ({ headers, body: text }) => answerTo(headers['content-type'] ?? '', text),
      sends: [
        {
          check: 'a request with a merge patch',
          expected: 'Content-Type: application/merge-patch+json',
          request: ({ method, contentType }) => method === 'PATCH' && contentType === 'application/merge-patch+json',
        },
        {
          check: 'a request with JSON',
          expected: 'Content-Type: application/json',
          request: ({ method, contentType }) => method === 'PATCH' && contentType === 'application/json',
        },
      ],
    },
  },
};

const answerTo = (contentType: string, text: string): Response => {
  const body = membersOf(text);
  const isPatch = contentType === 'application/merge-patch+json';
  const isRight = typeof body?.['name'] === 'string' || (isPatch && body !== undefined && !('name' in body));
  return isRight && (isPatch || contentType === 'application/json') ? new Response(null, { status: 204 }) : refused();
};

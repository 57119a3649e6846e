import type { CaseText } from '../../map/case.ts';

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
          request: ({ contentType }) => contentType === 'application/merge-patch+json',
        },
        {
          check: 'a request with JSON',
          expected: 'Content-Type: application/json',
          request: ({ contentType }) => contentType === 'application/json',
        },
      ],
    },
  },
};

const answerTo = (contentType: string, text: string): Response => {
  if (!/^application\/(?:merge-patch\+)?json$/.test(contentType)) return new Response(null, { status: 400 });
  try {
    const value = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    const isRight = isObject && (value.name === undefined || typeof value.name === 'string');
    return new Response(null, { status: isRight ? 204 : 400 });
  } catch {
    return new Response(null, { status: 400 });
  }
};

import type { CaseText } from '../../measure/case.ts';
import { refused } from '../shared/body.ts';

const encoding = '/paths/~1imports/post/requestBody/content/multipart~1form-data/encoding';
const body = { title: 'Ferns', rows: 'name,fronds' };
const partsWith = (contentType?: string): string =>
  JSON.stringify([
    { name: 'rows', ...(contentType !== undefined && { contentType }), value: body.rows },
    { name: 'title', value: body.title },
  ]);
const request = { method: 'POST', target: '/imports', contentType: 'multipart/form-data' };

/** Whether a recorded body, which is the JSON of its parts, has one that begins so. */
const hasPart = (parts: string, start: object): boolean => parts.includes(JSON.stringify(start).slice(0, -1));

export const feature: CaseText = {
  name: '`encoding` of the parts of a multipart body',
  since: '3.0',
  meaning:
    'Each part of a body of `multipart/form-data` may have a media type. Without one, that of a string is `text/plain`.',
  why: 'A form sends a table or a document beside its fields, and the service reads each by its media type.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#encoding-object',
    quotes: ['The `Content-Type` for encoding a specific property. The value is a comma-separated list'],
  },
  checks: {
    call: [
      {
        check: 'a call with a part of the media type',
        operation: 'importPlants',
        arguments: { body },
        request: { ...request, body: partsWith('text/csv') },
        ignored: [
          { ...request, body: partsWith() },
          { ...request, contentType: 'application/json' },
        ],
      },
    ],
    lint: [
      {
        check: 'a media type that is a number',
        level: 'document',
        pointer: `${encoding}/rows/contentType`,
        value: 5,
      },
    ],
    resolve: [{ check: 'the media type of the part', pointer: `${encoding}/rows/contentType`, value: 'text/csv' }],
    test: {
      right: ({ contentType, body: parts }) => {
        const isRight =
          contentType === 'multipart/form-data' && ['title', 'rows'].every((name) => hasPart(parts, { name }));
        return isRight ? new Response(null, { status: 204 }) : refused();
      },
      sends: [
        {
          check: 'a request with a part of the media type',
          expected: 'a part `rows` of the type text/csv',
          request: ({ body: parts }) => hasPart(parts, { name: 'rows', contentType: 'text/csv' }),
        },
      ],
    },
    show: [{ check: 'the media type of the part', text: 'text/csv' }],
  },
};

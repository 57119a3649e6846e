import type { CaseText } from '../../measure/case.ts';
import { refused } from '../shared/body.ts';

const inComponents = '/components/schemas/Form/properties/picture';
const inBody = '/paths/~1picture/put/requestBody/content/multipart~1form-data/schema/properties/picture';

/** Whether a recorded body, which is the JSON of its parts, has the picture. */
const hasPicture = (parts: string): boolean => parts.includes('"name":"picture"');

export const feature: CaseText = {
  name: 'a file in a form: `contentMediaType`',
  since: '3.1',
  meaning:
    'A part of a form is a file. FastAPI writes it as a string with `contentMediaType`. In OpenAPI 3.0 its `format` is `binary`.',
  why: 'A form uploads a picture beside its fields.',
  checks: {
    lint: [
      {
        check: 'a media type that is a number',
        level: 'schema',
        pointer: `${inComponents}/contentMediaType`,
        value: 5,
      },
    ],
    resolve: [{ check: 'the media type', pointer: `${inBody}/contentMediaType`, value: 'application/octet-stream' }],
    test: {
      right: ({ contentType, body }) =>
        contentType === 'multipart/form-data' && hasPicture(body) ? new Response(null, { status: 204 }) : refused(),
      sends: [
        {
          check: 'a request with the file',
          expected: 'a part `picture`',
          request: ({ body }) => hasPicture(body),
        },
      ],
    },
  },
};

import type { CaseText } from '../../measure/case.ts';

const body = { photo: 'iVBORw0KGgo=' };
const photo = '/paths/~1plant/put/requestBody/content/application~1json/schema/properties/photo';

export const feature: CaseText = {
  name: '`contentMediaType` and `contentEncoding`',
  since: '3.1',
  meaning: 'A text is a file in an encoding. In OpenAPI 3.0 its `format` is `byte`.',
  why: 'A client knows that a text is a picture, and how to read it.',
  checks: {
    validate: [{ check: 'a photo', isBasic: true, operation: 'setPlant', body, isValid: true }],
    typeCheck: [{ check: 'the type of a photo', isBasic: true, schema: 'Plant', literal: body, isValid: true }],
    lint: [
      {
        check: 'a media type that is a number',
        level: 'schema',
        pointer: '/components/schemas/Plant/properties/photo/contentMediaType',
        value: 5,
      },
    ],
    resolve: [
      { check: 'the media type', pointer: `${photo}/contentMediaType`, value: 'image/png' },
      { check: 'the encoding', pointer: `${photo}/contentEncoding`, value: 'base64' },
    ],
    show: [
      { check: 'the media type', text: 'image/png' },
      { check: 'the encoding', text: 'base64' },
    ],
  },
};

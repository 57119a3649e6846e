import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const shared = {
  schema: {
    type: 'object',
    required: ['name'],
    properties: { name: { type: 'string', description: 'How the plant is called' } },
  },
};

export const control: ControlText = {
  name: 'the media type where it is used',

  changes: {
    '/components': undefined,
    '/paths/~1plant/put/requestBody/content/application~1json': shared,
    '/paths/~1plant/put/responses/200/content/application~1json': shared,
  },
  checks: feature.checks,
};

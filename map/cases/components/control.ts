import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const operation = {
  operationId: 'getPlant',
  parameters: [{ name: 'leaves', in: 'query', description: 'How many leaves', schema: { type: 'integer' } }],
  responses: {
    200: {
      description: 'The shared plant',
      headers: { ETag: { required: true, schema: { type: 'string', pattern: '^"[0-9]+"$' } } },
      content: {
        'application/json': {
          schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
      },
    },
    400: { description: 'refused' },
  },
};

export const control: ControlText = {
  name: 'the parameter, the responses and the header where they are used',

  changes: { '/paths/~1plant/get': operation, '/components': undefined },
  checks: feature.checks,
};

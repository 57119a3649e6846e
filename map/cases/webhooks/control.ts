import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

/** A path is the nearest: many tools read no callbacks either. */
export const control: ControlText = {
  name: 'an operation of a path',
  changes: {
    '/webhooks': undefined,
    '/paths/~1plant-created': {
      post: {
        operationId: 'onPlantCreated',
        summary: 'A plant was created',
        requestBody: {
          required: true,
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } },
        },
        responses: { 204: { description: 'taken' } },
      },
    },
  },
  checks: feature.checks,
};

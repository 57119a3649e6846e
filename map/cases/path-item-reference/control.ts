import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const operationOf = (operationId: string, summary: string) => ({
  operationId,
  summary,
  requestBody: {
    required: true,
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Plant' } } },
  },
  responses: { 204: { description: 'done' }, 400: { description: 'refused' } },
});

export const control: ControlText = {
  name: 'both operations without a reference',

  changes: {
    '/components/pathItems': undefined,
    '/paths/~1plant': {
      put: operationOf('setPlant', 'Beside the reference'),
      post: operationOf('addPlant', 'Behind the reference'),
    },
  },
  checks: feature.checks,
};

import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const shared = {
  post: {
    operationId: 'onEvent',
    summary: 'Something happened',
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
        },
      },
    },
    responses: { 204: { description: 'taken' } },
  },
};

export const control: ControlText = {
  name: 'a callback that is not shared',

  changes: { '/paths/~1subscriptions/post/callbacks/event/{$request.body#~1url}': shared, '/components': undefined },
  checks: feature.checks,
};

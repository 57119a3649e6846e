import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'a parameter `in: query`',
  changes: {
    '/paths/~1plants/get/parameters/0': {
      name: 'leaves',
      in: 'query',
      description: 'All of the query at once',
      schema: { type: 'integer' },
    },
  },
  checks: feature.checks,
};

import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: '`example`',

  changes: {
    '/paths/~1plants~1{id}/get/parameters/0': {
      name: 'id',
      in: 'path',
      required: true,
      schema: { type: 'integer' },
      example: 7315948,
    },
    '/paths/~1plants~1{id}/get/parameters/1': {
      name: 'leaves',
      in: 'query',
      schema: { type: 'string' },
      example: 'variegata',
    },
  },
  checks: feature.checks,
};

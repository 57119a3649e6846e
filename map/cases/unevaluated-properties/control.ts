import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'one closed schema',

  changes: {
    '/components/schemas/NamedPlant': {
      type: 'object',
      required: ['id', 'name'],
      properties: { id: { type: 'integer' }, name: { type: 'string' } },
      additionalProperties: false,
    },
  },
  checks: feature.checks,
};

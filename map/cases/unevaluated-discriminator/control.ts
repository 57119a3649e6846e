import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'closed branches',

  changes: {
    '/components/schemas/PlantCreated': {
      type: 'object',
      required: ['type', 'name'],
      properties: { type: { type: 'string', enum: ['PlantCreated'] }, name: { type: 'string' } },
      additionalProperties: false,
    },
    '/components/schemas/PlantDeleted': {
      type: 'object',
      required: ['type'],
      properties: { type: { type: 'string', enum: ['PlantDeleted'] } },
      additionalProperties: false,
    },
    '/components/schemas/Event/type': undefined,
    '/components/schemas/Event/required': undefined,
    '/components/schemas/Event/unevaluatedProperties': undefined,
  },
  checks: feature.checks,
};

import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'a page of one type of items',

  changes: {
    '/components/schemas/Page': undefined,
    '/components/schemas/Item': { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
    '/components/schemas/Plant': {
      type: 'object',
      required: ['items'],
      properties: { items: { type: 'array', items: { $ref: '#/components/schemas/Item' } } },
    },
  },
  checks: feature.checks,
};

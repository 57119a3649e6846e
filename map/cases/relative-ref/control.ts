import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const leaf = { type: 'object', required: ['length'], properties: { length: { type: 'integer' } } };

export const control: ControlText = {
  name: 'the schemas in the document',
  changes: {
    '/components/schemas/Plant': {
      type: 'object',
      required: ['leaf'],
      properties: { leaf: { $ref: '#/components/schemas/Leaf' } },
    },
    '/components/schemas/Leaf': leaf,
  },
  checks: feature.checks,
};

import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'a schema of the components',

  changes: {
    '/components/schemas/Plant/properties/leaf/$ref': '#/components/schemas/Leaf',
    '/components/schemas/Plant/$defs': undefined,
    '/components/schemas/Leaf': { type: 'object', required: ['length'], properties: { length: { type: 'integer' } } },
  },
  checks: feature.checks,
};

import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'no other members',

  changes: {
    '/components/schemas/Plant/propertyNames': undefined,
    '/components/schemas/Plant/properties': { leaf: { type: 'integer' } },
    '/components/schemas/Plant/additionalProperties': false,
  },
  checks: feature.checks,
};

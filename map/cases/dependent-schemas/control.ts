import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: '`required`',

  changes: {
    '/components/schemas/Plant/dependentSchemas': undefined,
    '/components/schemas/Plant/required': ['pot', 'size'],
  },
  checks: feature.checks,
};

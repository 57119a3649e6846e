import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: '`required`',

  changes: {
    '/components/schemas/Plant/if': undefined,
    '/components/schemas/Plant/then': undefined,
    '/components/schemas/Plant/required': ['kind', 'height'],
  },
  checks: feature.checks,
};

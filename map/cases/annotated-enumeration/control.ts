import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: '`enum` of the numbers',

  changes: { '/components/schemas/Error/properties/error': { type: 'integer', enum: [40400, 40900] } },
  checks: feature.checks,
};

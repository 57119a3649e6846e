import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'a boolean `exclusiveMinimum` beside `minimum`',

  changes: { '/components/schemas/Plant/properties/leaves': { type: 'integer', minimum: 0, exclusiveMinimum: true } },
  checks: feature.checks,
};

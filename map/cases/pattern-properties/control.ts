import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'a member with a name',

  changes: {
    '/components/schemas/Plant/patternProperties': undefined,
    '/components/schemas/Plant/properties': { 'x-leaves': { type: 'integer' } },
  },
  checks: feature.checks,
};

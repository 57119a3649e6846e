import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'a reference by a JSON Pointer',

  changes: {
    '/components/schemas/Plant/properties/leaf/$ref': '#/components/schemas/Leaf',
    '/components/schemas/Leaf/$id': undefined,
  },
  checks: feature.checks,
};

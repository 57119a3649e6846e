import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'a schema without a reference',

  changes: { '/components/schemas/Delivery/properties/id': { type: 'integer', description: 'Which delivery' } },
  checks: feature.checks,
};

import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: '`format: byte`',

  changes: { '/components/schemas/Plant/properties/photo': { type: 'string', format: 'byte' } },
  checks: feature.checks,
};

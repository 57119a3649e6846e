import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: '`example`',

  changes: { '/components/schemas/Plant/properties/name': { type: 'string', example: 'Monstera deliciosa' } },
  checks: feature.checks,
};

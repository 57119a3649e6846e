import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: '`nullable`',

  changes: { '/components/schemas/Change/properties/tag': { type: 'string', nullable: true } },
  checks: feature.checks,
};

import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'no dialect, and `enum` of one value',

  changes: {
    '/jsonSchemaDialect': undefined,
    '/components/schemas/Plant/properties/kind': { type: 'string', enum: ['plant'] },
  },
  checks: feature.checks,
};

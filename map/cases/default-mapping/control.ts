import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const kindOf = (schema: object) => ({ type: 'string', ...schema });

export const control: ControlText = {
  name: '`oneOf` without a discriminator',
  changes: {
    '/components/schemas/Plant/discriminator': undefined,
    '/components/schemas/Fern/properties/kind': kindOf({ enum: ['fern'] }),
    '/components/schemas/OtherPlant/properties/kind': kindOf({ not: { enum: ['fern'] } }),
  },
  checks: feature.checks,
};

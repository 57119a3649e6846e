import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: '`enum` of one value in each branch, without a discriminator',
  changes: {
    '/components/schemas/Plant/discriminator': undefined,
    '/components/schemas/WoodyPlant/properties/kind': { type: 'string', enum: ['bonsai'] },
    '/components/schemas/GreenPlant/properties/kind': { type: 'string', enum: ['fern'] },
  },
  checks: feature.checks,
};

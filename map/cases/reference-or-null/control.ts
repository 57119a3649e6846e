import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: '`nullable` beside `allOf`',

  changes: {
    '/components/schemas/Plant/properties/pot': { nullable: true, allOf: [{ $ref: '#/components/schemas/Pot' }] },
  },
  checks: feature.checks,
};

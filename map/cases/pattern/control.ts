import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

/** They tell the same texts from each other, as far as the checks ask. */
export const control: ControlText = {
  name: 'an `enum` of one text for each pattern',
  changes: {
    '/components/schemas/Plant/properties/name': { type: 'string', enum: ['Monstera'] },
    '/components/schemas/Plant/properties/path': { type: 'string', enum: ['/monstera'] },
    '/components/schemas/Plant/properties/tag': { type: 'string', enum: ['"1"'] },
  },
  checks: feature.checks,
};

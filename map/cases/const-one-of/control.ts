import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: '`enum` of one value',

  changes: {
    '/components/schemas/PlantCreated/properties/type': { type: 'string', enum: ['plant.created'] },
    '/components/schemas/PlantDeleted/properties/type': { type: 'string', enum: ['plant.deleted'] },
  },
  checks: feature.checks,
};

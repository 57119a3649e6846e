import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const branchOf = (type: string, others: readonly string[]) => ({
  type: 'object',
  required: ['type', 'sequence', ...others],
  properties: {
    type: { type: 'string', enum: [type] },
    sequence: { type: 'integer', description: 'When it came' },
    ...Object.fromEntries(others.map((name) => [name, { type: 'string' }])),
  },
});

export const control: ControlText = {
  name: 'the shared member in each branch',

  changes: {
    '/components/schemas/Event/type': undefined,
    '/components/schemas/Event/required': undefined,
    '/components/schemas/Event/properties': undefined,
    '/components/schemas/PlantCreated': branchOf('plant.created', ['name']),
    '/components/schemas/PlantDeleted': branchOf('plant.deleted', []),
  },
  checks: feature.checks,
};

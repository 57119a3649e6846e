import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const parameterOf = (description: string) => ({ name: 'limit', in: 'query', description, schema: { type: 'integer' } });

export const control: ControlText = {
  name: 'parameters without a reference',

  changes: {
    '/paths/~1plants/get/parameters/0': parameterOf('How many plants'),
    '/paths/~1events/get/parameters/0': parameterOf('How many events'),
  },
  checks: feature.checks,
};

import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'a reference inside the document',
  changes: {
    '/$self': undefined,
    '/paths/~1plant/put/requestBody/content/application~1json/schema/$ref': '#/components/schemas/Plant',
  },
  checks: feature.checks,
};

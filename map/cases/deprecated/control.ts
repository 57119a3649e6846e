import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'the word in the description of the operation',
  changes: {
    '/paths/~1plant/put/deprecated': undefined,
    '/paths/~1plant/put/description': 'It is deprecated.',
  },
  checks: feature.checks,
};

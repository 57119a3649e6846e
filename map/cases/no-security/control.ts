import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'the security of each operation',

  changes: {
    '/security': undefined,
    '/paths/~1plants/get/security': [{ token: [] }],
    '/paths/~1health/get/security': undefined,
  },
  checks: feature.checks,
};

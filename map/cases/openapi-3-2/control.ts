import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

export const control: ControlText = {
  name: 'the version 3.0',

  changes: {},
  checks: feature.checks,
};

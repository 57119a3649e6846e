import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const { test } = feature.checks;

export const control: ControlText = {
  name: 'a file with `format: binary`',
  changes: { '/components/schemas/Form/properties/picture': { type: 'string', format: 'binary' } },
  checks: { ...(test && { test }) },
};

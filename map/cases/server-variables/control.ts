import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const [relative] = feature.variants ?? [];
const { validate = [], locate = [], test } = relative?.checks ?? {};

export const control: ControlText = {
  name: 'a server without a variable',
  changes: { '/servers': [{ url: '/nursery/v1' }] },
  checks: {
    validate: validate.map((one) => ({ ...one, target: '/nursery/v1/plants' })),
    locate,
    ...(test && { test }),
  },
};

import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const { validate = [], locate = [], test } = feature.checks;
const request = { method: 'GET', target: '/plants' };

export const control: ControlText = {
  name: 'no server, which is that of the document',
  changes: { '/servers': undefined },
  checks: {
    validate: validate.map((one) => ({ ...one, target: '/plants' })),
    locate: locate.map((one) => ({ ...one, request })),
    ...(test && {
      test: {
        ...test,
        sends: (test.sends ?? []).map((one) => ({
          ...one,
          expected: 'GET /plants',
          request: ({ target }) => target === '/plants',
        })),
      },
    }),
  },
};

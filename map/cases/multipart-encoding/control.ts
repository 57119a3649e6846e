import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const { call = [], test } = feature.checks;

export const control: ControlText = {
  name: 'parts without a media type',
  changes: { '/paths/~1imports/post/requestBody/content/multipart~1form-data/encoding': undefined },
  checks: {
    call: call.map(({ ignored: _, ...one }) => ({
      ...one,
      request: { method: 'POST', target: '/imports', contentType: 'multipart/form-data' },
    })),
    ...(test && {
      test: {
        ...test,
        sends: (test.sends ?? []).map((one) => ({
          ...one,
          expected: 'a part `rows`',
          request: ({ body }) => body.includes('"name":"rows"'),
        })),
      },
    }),
  },
};

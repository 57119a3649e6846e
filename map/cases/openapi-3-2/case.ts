import type { CaseText } from '../../measure/case.ts';
import { checksOfVersion } from '../shared/version.ts';

export const feature: CaseText = {
  name: 'the version 3.2',
  since: '3.2',
  meaning:
    'The version of the document is 3.2. The document uses nothing else that is new, beside a response without a description.',
  why: 'A document can use what is new in OpenAPI 3.2 only if its tools read the version.',
  use: {
    document: 'openapi-3.2.json',
    pointers: ['/openapi'],
    tests: [
      {
        file: 'tests/house/openapi-3.2.test.ts',
        test: 'the 3.2 document is valid against the official schema of 3.2',
      },
      {
        file: 'tests/house/openapi-3.2.test.ts',
        test: 'openapi-3.2.json is the 3.2 document; `bun run generate` updates it',
      },
    ],
  },
  checks: checksOfVersion('Three point two'),
  variants: [
    {
      name: 'with a response that has no description',
      changes: { '/paths/~1plant/put/responses/400': { summary: 'refused' } },
      checks: { load: 'feature', lint: [], resolve: [] },
    },
  ],
};

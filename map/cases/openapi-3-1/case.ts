import type { CaseText } from '../../measure/case.ts';
import { checksOfVersion } from '../shared/version.ts';

export const feature: CaseText = {
  name: 'the version 3.1',
  since: '3.1',
  meaning: 'The version of the document is 3.1. The document uses nothing that is new.',
  why: 'A document can use what is new in OpenAPI 3.1 only if its tools read the version.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/openapi'],
    tests: [{ file: 'tests/house/document.test.ts', test: 'the document is valid against the official schema' }],
  },
  checks: checksOfVersion('Three point one'),
};

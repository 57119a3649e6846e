import type { CaseText } from '../../measure/case.ts';

const response = '/paths/~1health/get/responses/204';

export const feature: CaseText = {
  name: '`summary` of a response',
  since: '3.2',
  meaning: 'A response has a short summary beside its description.',
  why: 'A list of errors has one line for each, and its details are elsewhere.',
  use: {
    document: 'openapi-3.2.json',
    pointers: ['/components/responses/Defect/summary'],
    tests: [
      {
        file: 'tests/house/openapi-3.2.test.ts',
        test: 'every shared response of the 3.2 document has a summary',
      },
    ],
  },
  checks: {
    diff: [
      { check: 'another summary', pointer: '/paths/~1health/get/responses/204/summary', value: 'Everything is fine' },
    ],
    lint: [{ check: 'a summary that is a number', level: 'document', pointer: `${response}/summary`, value: 5 }],
    resolve: [
      { check: 'the summary', pointer: `${response}/summary`, value: 'Everything is well' },
      {
        check: 'the description',
        isBasic: true,
        pointer: `${response}/description`,
        value: 'The service can read and write.',
      },
    ],
    show: [
      { check: 'the summary', text: 'Everything is well' },
      { check: 'the description', isBasic: true, text: 'The service can read and write.' },
    ],
  },
};

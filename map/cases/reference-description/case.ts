import type { CaseText } from '../../measure/case.ts';

const texts = [
  { check: 'the description beside the first reference', text: 'How many plants' },
  { check: 'the description beside the second reference', text: 'How many events' },
  {
    check: 'the description of the parameter, where none is beside the reference',
    isBasic: true,
    text: 'How many things',
    // A tool that shows no description of a parameter ignores the feature.
    onlyIf: 'How many events',
  },
];

/** Many generators write no description of any parameter, and are not asked. */
const comments = texts.map((one) => ({ onlyIf: 'How many things', ...one }));

export const feature: CaseText = {
  name: '`$ref` with a description beside it, in Reference Objects',
  since: '3.1',
  meaning:
    'A Reference Object has a description that replaces the one of its target: of a parameter, a response or an example.',
  why: 'One parameter is shared by several lists, and each says what it limits.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/paths/~1plants/get/parameters/0'],
    tests: [
      {
        file: 'tests/house/document.test.ts',
        test: 'a reference to a shared schema or parameter has its own description',
      },
      {
        file: 'tests/plants/list-plants.test.ts',
        test: 'a page has at most `limit` plants, 100 by default, and a link to the next one if there are more',
      },
    ],
  },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#fixed-fields-19',
    quotes: ['A description which by default SHOULD override that of the referenced component.'],
  },
  checks: {
    code: comments,
    lint: [
      {
        check: 'a description beside a reference that is a number',
        level: 'document',
        pointer: '/paths/~1plants/get/parameters/0/description',
        value: 5,
      },
    ],
    resolve: [
      ...['plants', 'events'].map((path) => ({
        check: `the description beside the reference of ${path}`,
        pointer: `/paths/~1${path}/get/parameters/0/description`,
        value: `How many ${path}`,
        ignored: 'How many things',
      })),
      {
        check: 'the description of the parameter, where none is beside the reference',
        isBasic: true,
        pointer: '/paths/~1tags/get/parameters/0/description',
        value: 'How many things',
      },
    ],
    show: texts,
  },
};

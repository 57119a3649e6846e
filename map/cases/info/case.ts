import type { CaseText } from '../../measure/case.ts';
import { producesValues } from '../shared/produced.ts';

export const feature: CaseText = {
  name: '`info.summary` and `license.identifier`',
  since: '3.1',
  meaning: 'An API has a short summary beside its description, and its license is named by SPDX.',
  why: 'A list of services has one line for each, and a program can tell the license.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/info/summary', '/info/license/identifier'],
    tests: [{ file: 'tests/house/document.test.ts', test: 'the document is valid against the official schema' }],
  },
  checks: {
    produce: producesValues('info', 'the summary of the API is "All plants"', {
      'the summary of the API': ['/info/summary', 'All plants'],
    }),
    lint: [
      { check: 'a summary that is a number', level: 'document', pointer: '/info/summary', value: 5 },
      {
        check: 'a license with an identifier and a URL',
        level: 'document',
        pointer: '/info/license/url',
        value: 'https://example.com/',
        at: ['/info/license'],
      },
    ],
    resolve: [
      { check: 'the summary', pointer: '/info/summary', value: 'Everything that grows' },
      { check: 'the identifier', pointer: '/info/license/identifier', value: 'Apache-2.0' },
    ],
    show: [
      { check: 'the summary', text: 'Everything that grows' },
      // A viewer may show the identifier in place of the name of the license.
      { check: 'the identifier of the license, or a link to it', text: 'Apache-2.0' },
    ],
  },
};

import type { CaseText } from '../../measure/case.ts';

export const feature: CaseText = {
  name: '`parent`, `kind` and `summary` of a tag',
  since: '3.2',
  meaning: 'Tags are a tree. Each has a short name for readers, and a kind, such as navigation.',
  why: 'A page groups the operations in chapters and sections.',
  use: {
    document: 'openapi-3.2.json',
    pointers: ['/tags'],
    tests: [
      {
        file: 'tests/house/openapi-3.2.test.ts',
        test: 'every tag of the 3.2 document has a summary, and the messages are below the webhooks',
      },
    ],
  },
  checks: {
    lint: [
      { check: 'a parent that is no tag', level: 'reference', pointer: '/tags/1/parent', value: 'nothing' },
      { check: 'a kind that is a number', level: 'document', pointer: '/tags/1/kind', value: 5 },
      { check: 'a summary that is a number', level: 'document', pointer: '/tags/1/summary', value: 5 },
    ],
    resolve: [
      { check: 'the parent', pointer: '/tags/1/parent', value: 'webhooks' },
      { check: 'the kind', pointer: '/tags/1/kind', value: 'nav' },
      { check: 'the summary', pointer: '/tags/1/summary', value: 'What is sent' },
    ],
    show: [
      { check: 'the summary of a tag', text: 'What is sent' },
      { check: 'the summary of its parent', text: 'Calls to a server of yours' },
    ],
  },
};

import type { CaseText } from '../../measure/case.ts';
import { producesValues } from '../shared/produced.ts';

export const feature: CaseText = {
  name: '`security: []`',
  since: '3.0',
  meaning: 'An operation with an empty list needs no security, although the document requires it of all operations.',
  why: 'One operation is public: a check of health, or a message to a server of the user.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/webhooks/plant.created/post/security'],
    tests: [
      {
        file: 'tests/house/document.test.ts',
        test: 'a %s message matches its webhook in the document, and no other',
      },
    ],
  },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#operation-object',
    quotes: ['To remove a top-level security declaration, an empty array can be used.'],
  },
  checks: {
    produce: producesValues('no-security', 'a token for everything, and none for PUT /plant', {
      'the security of all operations': ['/security', [{ token: [] }]],
      'the security of the operation': ['/paths/~1plant/put/security', []],
    }),
    validate: [
      { check: 'a public request without a token', isBasic: true, operation: 'getHealth', isValid: true },
      { check: 'a request without its token', operation: 'listPlants', isValid: false },
      {
        check: 'a request with its token',
        isBasic: true,
        operation: 'listPlants',
        headers: { authorization: 'Bearer secret' },
        isValid: true,
      },
    ],
    lint: [
      {
        check: 'a list that is a number',
        level: 'document',
        pointer: '/paths/~1health/get/security',
        value: 5,
      },
    ],
    resolve: [{ check: 'the empty list', pointer: '/paths/~1health/get/security', value: [] }],
  },
};

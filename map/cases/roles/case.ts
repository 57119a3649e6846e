import type { CaseText } from '../../measure/case.ts';

export const feature: CaseText = {
  name: 'roles on a bearer requirement',
  since: '3.1',
  meaning:
    'A security requirement of any kind names the roles that a caller needs. In OpenAPI 3.0 only OAuth had them, as scopes.',
  why: 'A reader learns which token an operation needs.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/paths/~1plants/get/security', '/paths/~1plants/post/security'],
    tests: [
      {
        file: 'tests/house/conformance.test.ts',
        test: 'the scope of an operation is the only one that it requires',
      },
    ],
  },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#patterned-fields-3',
    quotes: [
      'For other security scheme types, the array MAY contain a list of role names which are required for the execution, but are not otherwise defined or exchanged in-band.',
    ],
  },
  checks: {
    validate: [
      {
        check: 'a request with a token',
        isBasic: true,
        operation: 'listPlants',
        headers: { authorization: 'Bearer secret' },
        isValid: true,
      },
    ],
    lint: [
      {
        check: 'a list of roles that is a text',
        level: 'document',
        pointer: '/paths/~1plants/get/security/0/token',
        value: 'garden:read',
      },
    ],
    resolve: [{ check: 'the role', pointer: '/paths/~1plants/get/security/0/token', value: ['garden:read'] }],
    show: [{ check: 'the role', text: 'garden:read' }],
  },
};

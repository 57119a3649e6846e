import type { CaseText } from '../../measure/case.ts';

export const feature: CaseText = {
  name: 'a relative server',
  since: '3.0',
  meaning: 'The URL of a server is relative to the place of the document.',
  why: 'The same document works on every host that serves it.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/servers/0/url'],
    tests: [
      {
        file: 'conformance/page.test.ts',
        test: 'the button "Send" creates a plant, and the page shows the response',
      },
    ],
  },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#server-object',
    quotes: [
      'This URL supports Server Variables and MAY be relative, to indicate that the host location is relative to the location where the document containing the Server Object is being served.',
    ],
  },
  checks: {
    validate: [
      {
        check: 'a request to the server',
        operation: 'listPlants',
        target: '/garden/plants',
        isValid: true,
        ignored: 'refused',
      },
    ],
    locate: [
      {
        check: 'a call without a base URL',
        operation: 'listPlants',
        request: { method: 'GET', target: '/garden/plants' },
        ignored: [{ method: 'GET', target: '/plants' }],
      },
    ],
    lint: [{ check: 'a server that is a number', level: 'document', pointer: '/servers/0/url', value: 5 }],
    resolve: [{ check: 'the server', pointer: '/servers/0/url', value: '/garden' }],
    test: {
      right: () => new Response(null, { status: 204 }),
      sends: [
        {
          check: 'a request to the server',
          isLocated: true,
          expected: 'GET /garden/plants',
          request: ({ target }) => target === '/garden/plants',
        },
      ],
    },
    show: [{ check: 'the server', text: '/garden' }],
  },
};

import type { CaseText } from '../../measure/case.ts';

export const feature: CaseText = {
  name: 'variables of a server',
  since: '3.0',
  meaning: 'The URL of a server has variables. Each has a default, and may have a list of its values.',
  why: 'One entry is for the servers of all regions, stages or customers.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#server-variable-object',
    quotes: [
      'The default value to use for substitution, which SHALL be sent if an alternate value is not supplied.',
      "If the `enum` is defined, the value MUST exist in the enum's values.",
    ],
  },
  checks: {
    lint: [
      { check: 'a variable without a default', level: 'document', pointer: '/servers/0/variables/stage', value: {} },
      {
        check: 'a default that is no value of the list',
        level: 'reference',
        pointer: '/servers/0/variables/stage/default',
        value: 'desert',
        at: ['/servers/0/variables/stage'],
      },
      {
        check: 'a variable in the URL that is not described',
        level: 'reference',
        pointer: '/servers/0/url',
        value: 'https://plants.example/{place}/v1',
        at: ['/servers/0'],
      },
    ],
    resolve: [
      { check: 'the default', pointer: '/servers/0/variables/stage/default', value: 'nursery' },
      { check: 'the values', pointer: '/servers/0/variables/stage/enum', value: ['nursery', 'garden'] },
    ],
    show: [
      { check: 'the default', text: 'nursery' },
      { check: 'another value', text: 'garden' },
    ],
  },
  // Servers of the map are asked, whose ports no document knows.
  variants: [
    {
      name: 'relative',
      changes: { '/servers/0/url': '/{stage}/v1' },
      checks: {
        validate: [
          {
            check: 'a request to the server with the default',
            operation: 'listPlants',
            target: '/nursery/v1/plants',
            isValid: true,
            ignored: 'refused',
          },
          {
            check: 'a request to the server with another value',
            operation: 'listPlants',
            target: '/garden/v1/plants',
            isValid: true,
            ignored: 'refused',
          },
        ],
        locate: [
          {
            check: 'a call without a base URL and a value',
            operation: 'listPlants',
            request: { method: 'GET', target: '/nursery/v1/plants' },
            ignored: ['/plants', '/{stage}/v1/plants', '/%7Bstage%7D/v1/plants'].map((target) => ({
              method: 'GET',
              target,
            })),
          },
        ],
        test: {
          right: () => new Response(null, { status: 204 }),
          sends: [
            {
              check: 'a request to the server with the default',
              isLocated: true,
              expected: 'GET /nursery/v1/plants',
              request: ({ target }) => target === '/nursery/v1/plants',
            },
          ],
        },
      },
    },
  ],
};

import type { CaseText } from '../../measure/case.ts';

export const feature: CaseText = {
  name: 'a parameter `in: querystring`',
  since: '3.2',
  meaning: 'One parameter is the whole query of the URL, with a media type and a schema.',
  why: 'A query that is no list of names and values has a schema.',
  checks: {
    validate: [
      { check: 'a query', isBasic: true, operation: 'listPlants', target: '/plants?leaves=5', isValid: true },
      { check: 'a wrong query', operation: 'listPlants', target: '/plants?leaves=few', isValid: false },
    ],
    lint: [
      {
        check: 'a description that is a number',
        level: 'document',
        pointer: '/paths/~1plants/get/parameters/0/description',
        value: 5,
      },
    ],
    resolve: [
      { check: 'where the parameter is', pointer: '/paths/~1plants/get/parameters/0/in', value: 'querystring' },
    ],
    test: {
      // The parameter may be omitted.
      right: ({ query }) => {
        const isRight = query.size === 0 || /^-?\d+$/.test(query.get('leaves') ?? '');
        return new Response(null, { status: isRight ? 204 : 400 });
      },
      sends: [
        {
          check: 'a request with the query',
          isOneOfMany: true,
          expected: '/plants?leaves=…',
          request: ({ target }) => /[?&]leaves=/.test(target),
        },
      ],
    },
    show: [{ check: 'the description of the query', text: 'All of the query at once' }],
  },
};

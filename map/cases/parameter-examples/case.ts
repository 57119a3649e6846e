import type { Handler } from '../../measure/abilities/test.ts';
import type { CaseText } from '../../measure/case.ts';
import { refused } from '../shared/body.ts';

const parameters = '/paths/~1plants~1{id}/get/parameters';
const body = { name: 'Monstera deliciosa' };

/** It has every plant, also for who ignores the example. */
const right: Handler = ({ target }) => (/^\/plants\/-?\d+$/.test(target) ? Response.json(body) : refused());

export const feature: CaseText = {
  name: '`examples` of parameters',
  since: '3.0',
  meaning: 'A parameter has named examples, each with a value.',
  why: 'A tester or a page sends a first request that finds something.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/parameters/limit/examples', '/components/parameters/id/examples'],
    tests: [
      {
        file: 'tests/house/parameters.test.ts',
        test: 'each example of a body has an example of the same name in every parameter of its operation',
      },
      {
        file: 'tests/house/parameters.test.ts',
        test: 'only the copy that Scalar loads has `x-disabled`, at the examples of optional parameters, which it does not send',
      },
    ],
  },
  checks: {
    validate: [
      { check: 'another value', isBasic: true, operation: 'getPlant', target: '/plants/1?leaves=few', isValid: true },
    ],
    lint: [
      {
        check: 'an example that does not match its schema',
        level: 'example',
        pointer: `${parameters}/0/examples/tropical/value`,
        value: 'one',
      },
    ],
    resolve: [{ check: 'the example', pointer: `${parameters}/0/examples/tropical/value`, value: 7315948 }],
    test: {
      right,
      sends: [
        {
          check: 'a request with the example of the required parameter',
          expected: 'GET /plants/7315948',
          request: ({ target }) => target.split('?', 1)[0] === '/plants/7315948',
        },
        {
          check: 'a request with the example of the optional parameter',
          expected: '?leaves=variegata',
          request: ({ target }) => target.includes('leaves=variegata'),
        },
      ],
    },
    show: [
      { check: 'the example of the required parameter', text: '7315948' },
      { check: 'the example of the optional parameter', text: 'variegata' },
    ],
  },
};

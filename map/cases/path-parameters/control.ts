import type { ControlText } from '../../measure/case.ts';
import { refused } from '../shared/body.ts';
import { feature } from './case.ts';

const targets: Readonly<Record<string, string>> = {
  'a request': '/leaves?name=ivy&number=5',
  'a value with an encoded slash': '/leaves?name=a%2Fb&number=5',
  'a value that is too long': '/leaves?name=palm&number=5',
  'a value of a wrong type': '/leaves?name=ivy&number=few',
};
const operation = '/paths/~1plants~1{name}~1leaves~1{number}';
const parameters = [
  { name: 'name', in: 'query', required: true, schema: { type: 'string', minLength: 1, maxLength: 3 } },
  { name: 'number', in: 'query', required: true, schema: { type: 'integer' } },
];

/** Clients differ in which characters of a query they encode, so that a call with a slash is not asked. */
export const control: ControlText = {
  name: 'parameters in the query',
  changes: {
    [operation]: undefined,
    '/paths/~1leaves': {
      post: {
        operationId: 'addLeaf',
        parameters,
        responses: { 204: { description: 'added' }, 400: { description: 'refused' } },
      },
    },
  },
  checks: {
    validate: (feature.checks.validate ?? []).map((one) => ({ ...one, target: targets[one.check] ?? '' })),
    call: [
      {
        check: 'a call',
        isBasic: true,
        operation: 'addLeaf',
        arguments: { query: { name: 'ivy', number: 5 } },
        request: { method: 'POST', target: '/leaves?name=ivy&number=5' },
      },
    ],
    test: {
      right: ({ method, target, query }) => {
        if (target.split('?', 1)[0] !== '/leaves') return new Response(null, { status: 404 });
        if (method !== 'POST') return new Response(null, { status: 405 });
        const isRight = /^.{1,3}$/.test(query.get('name') ?? '') && /^-?\d+$/.test(query.get('number') ?? '');
        return isRight ? new Response(null, { status: 204 }) : refused();
      },
      sends: [
        {
          check: 'a request with right values',
          expected: 'POST /leaves?name=…&number=1',
          request: ({ target }) => /[?&]name=[^&]/.test(target) && /[?&]number=-?\d+/.test(target),
        },
      ],
      broken: [{ check: 'a server that answers another status', server: () => new Response(null, { status: 404 }) }],
    },
  },
};

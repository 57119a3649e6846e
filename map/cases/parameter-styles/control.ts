import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const targets: Readonly<Record<string, string>> = {
  'a deep object': '/plants?height=5',
  'a deep object with a wrong member': '/plants?height=tall',
  'an array with commas': '/leaves?tags=a&tags=b',
  'an array with commas that is too long': '/leaves?tags=a&tags=b&tags=c',
  'an array with pipes': '/roots?kinds=a&kinds=b',
  'an array with pipes that is too long': '/roots?kinds=a&kinds=b&kinds=c',
};
const calls: Readonly<Record<string, readonly [query: Readonly<Record<string, unknown>>, target: string]>> = {
  'a call with a deep object': [{ height: 5 }, '/plants?height=5'],
  'a call with an array with commas': [{ tags: ['a', 'b'] }, '/leaves?tags=a&tags=b'],
  'a call with an array with pipes': [{ kinds: ['a', 'b'] }, '/roots?kinds=a&kinds=b'],
};
const { validate = [], call = [], test } = feature.checks;
const nothing = (status: number): Response => new Response(null, { status });

export const control: ControlText = {
  name: 'the default style',
  changes: {
    '/paths/~1plants/get/parameters/0': { name: 'height', in: 'query', schema: { type: 'integer' } },
    '/paths/~1leaves/get/parameters/0/explode': undefined,
    '/paths/~1roots/get/parameters/0/explode': undefined,
    '/paths/~1roots/get/parameters/0/style': undefined,
  },
  checks: {
    validate: validate.map((one) => ({ ...one, target: targets[one.check] ?? '' })),
    call: call.map(({ check, operation }) => {
      const [query, target] = calls[check] ?? [{}, ''];
      return { check, operation, arguments: { query }, request: { method: 'GET', target } };
    }),
    ...(test && {
      test: {
        right: ({ target, query }) => {
          const isRight =
            target === '/plants'
              ? /^(?:-?\d+)?$/.test(query.get('height') ?? '')
              : query.getAll(target === '/leaves' ? 'tags' : 'kinds').length <= 2;
          return nothing(isRight ? 204 : 400);
        },
        sends: (test.sends ?? []).map((one) => ({
          ...one,
          expected: '/plants?height=…',
          request: ({ target }) => /^\/plants\?height=/.test(target),
        })),
      },
    }),
  },
};

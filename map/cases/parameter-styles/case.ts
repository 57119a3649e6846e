import type { CaseText } from '../../measure/case.ts';
import { refused } from '../shared/body.ts';

const styleOf = (path: string): string => `/paths/~1${path}/get/parameters/0/style`;
const nothing = (): Response => new Response(null, { status: 204 });
const accepts = (isRight: boolean): Response => (isRight ? nothing() : refused());

export const feature: CaseText = {
  name: '`deepObject` and other styles of parameters',
  since: '3.0',
  meaning:
    '`style` and `explode` say how an array or an object is written in a URL: as `filter[color]=red`, as `tags=a,b` or as `kinds=a|b`.',
  why: 'A search has filters with members, and many services read lists with commas.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#style-examples',
    quotes: [
      'Allows objects with scalar properties to be represented using form parameters.',
      'Pipe separated array values or object properties and values.',
    ],
  },
  checks: {
    validate: [
      {
        check: 'a deep object',
        isBasic: true,
        operation: 'findPlants',
        target: '/plants?filter[color]=red&filter[height]=5',
        isValid: true,
      },
      {
        check: 'a deep object with a wrong member',
        operation: 'findPlants',
        target: '/plants?filter[color]=red&filter[height]=tall',
        isValid: false,
      },
      {
        check: 'an array with commas',
        isBasic: true,
        operation: 'findLeaves',
        target: '/leaves?tags=a,b',
        isValid: true,
      },
      {
        check: 'an array with commas that is too long',
        operation: 'findLeaves',
        target: '/leaves?tags=a,b,c',
        isValid: false,
      },
      {
        check: 'an array with pipes',
        isBasic: true,
        operation: 'findRoots',
        target: '/roots?kinds=a%7Cb',
        isValid: true,
      },
      {
        check: 'an array with pipes that is too long',
        operation: 'findRoots',
        target: '/roots?kinds=a%7Cb%7Cc',
        isValid: false,
      },
    ],
    call: [
      {
        check: 'a call with a deep object',
        operation: 'findPlants',
        arguments: { query: { filter: { color: 'red', height: 5 } } },
        request: { method: 'GET', target: '/plants?filter%5Bcolor%5D=red&filter%5Bheight%5D=5' },
        ignored: [
          { target: '/plants?color=red&height=5' },
          { target: '/plants?filter=%5Bobject+Object%5D' },
          { target: '/plants?filter=%5Bobject%20Object%5D' },
        ],
      },
      {
        check: 'a call with an array with commas',
        operation: 'findLeaves',
        arguments: { query: { tags: ['a', 'b'] } },
        request: { method: 'GET', target: '/leaves?tags=a,b' },
        ignored: [{ target: '/leaves?tags=a&tags=b' }, { target: '/leaves?tags=a%2Cb' }],
      },
      {
        check: 'a call with an array with pipes',
        operation: 'findRoots',
        arguments: { query: { kinds: ['a', 'b'] } },
        request: { method: 'GET', target: '/roots?kinds=a%7Cb' },
        ignored: [
          { target: '/roots?kinds=a&kinds=b' },
          { target: '/roots?kinds=a,b' },
          { target: '/roots?kinds=a%2Cb' },
        ],
      },
    ],
    lint: [
      {
        check: 'a style that does not exist',
        level: 'document',
        pointer: styleOf('plants'),
        value: 'deep',
        at: ['/paths/~1plants/get/parameters/0'],
      },
      {
        check: 'a style that a query cannot have',
        level: 'document',
        pointer: styleOf('roots'),
        value: 'matrix',
        at: ['/paths/~1roots/get/parameters/0'],
      },
    ],
    resolve: [
      { check: 'the style', pointer: styleOf('plants'), value: 'deepObject' },
      { check: 'the value of `explode`', pointer: '/paths/~1leaves/get/parameters/0/explode', value: false },
    ],
    test: {
      right: ({ target, query }) => {
        if (target === '/plants')
          return accepts(!query.has('filter') && /^(?:-?\d+)?$/.test(query.get('filter[height]') ?? ''));
        const text = query.get(target === '/leaves' ? 'tags' : 'kinds') ?? '';
        return accepts(text.split(target === '/leaves' ? ',' : '|').length <= 2);
      },
      sends: [
        {
          check: 'a request with a deep object',
          isOneOfMany: true,
          expected: '/plants?filter[…]=…',
          request: ({ target }) => /^\/plants\?.*filter%5B(?:color|height)%5D=/.test(target),
        },
      ],
    },
  },
};

import type { CaseText } from '../../measure/case.ts';
import { refused } from '../shared/body.ts';

export const feature: CaseText = {
  name: 'parameters in paths',
  since: '3.0',
  meaning: 'A segment of the path is the value of a parameter. Characters with a meaning in URLs are percent-encoded.',
  why: 'The URL of a thing has its id or its name.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/components/parameters/id', '/components/parameters/webhookId', '/components/parameters/deliveryId'],
    tests: [{ file: 'tests/base/int64.test.ts', test: '%s is the canonical form of an id in a path' }],
  },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#path-templating',
    quotes: [
      'The value for these path parameters MUST NOT contain any unescaped "generic syntax" characters described by RFC3986 Section 3: forward slashes (`/`), question marks (`?`), or hashes (`#`).',
    ],
  },
  checks: {
    validate: [
      { check: 'a request', isBasic: true, operation: 'addLeaf', target: '/plants/ivy/leaves/5', isValid: true },
      {
        check: 'a value with an encoded slash',
        operation: 'addLeaf',
        target: '/plants/a%2Fb/leaves/5',
        isValid: true,
        ignored: 'refused',
      },
      {
        check: 'a value that is too long',
        operation: 'addLeaf',
        target: '/plants/palm/leaves/5',
        isValid: false,
      },
      {
        check: 'a value of a wrong type',
        operation: 'addLeaf',
        target: '/plants/ivy/leaves/few',
        isValid: false,
      },
    ],
    call: [
      {
        check: 'a call',
        isBasic: true,
        operation: 'addLeaf',
        arguments: { path: { name: 'ivy', number: 5 } },
        request: { method: 'POST', target: '/plants/ivy/leaves/5' },
      },
      {
        check: 'a call with a slash and a question mark',
        operation: 'addLeaf',
        arguments: { path: { name: 'a/?', number: 5 } },
        request: { method: 'POST', target: '/plants/a%2F%3F/leaves/5' },
        ignored: [{ method: 'POST', target: '/plants/a/?/leaves/5' }],
      },
    ],
    lint: [
      {
        check: 'a parameter that is not required',
        level: 'document',
        pointer: '/paths/~1plants~1{name}~1leaves~1{number}/post/parameters/0/required',
        value: false,
        at: ['/paths/~1plants~1{name}~1leaves~1{number}/post/parameters/0'],
      },
      {
        check: 'a parameter that the path does not have',
        level: 'reference',
        pointer: '/paths/~1plants~1{name}~1leaves~1{number}/post/parameters/0/name',
        value: 'title',
        at: ['/paths/~1plants~1{name}~1leaves~1{number}'],
      },
    ],
    resolve: [
      {
        check: 'the name of a parameter',
        pointer: '/paths/~1plants~1{name}~1leaves~1{number}/post/parameters/1/name',
        value: 'number',
      },
    ],
    test: {
      // The path of a value that is not encoded is not found, which the document does not say.
      right: ({ method, target }) => {
        if (!/^\/plants\/[^/]*\/leaves\/[^/]*$/.test(target)) return new Response(null, { status: 404 });
        if (method !== 'POST') return new Response(null, { status: 405 });
        return /^\/plants\/(?:[^/%]|%..){1,3}\/leaves\/-?\d+$/.test(target)
          ? new Response(null, { status: 204 })
          : refused();
      },
      sends: [
        {
          check: 'a request with right values',
          expected: 'POST /plants/…/leaves/1',
          request: ({ target }) => /^\/plants\/(?:[^/%]|%..)+\/leaves\/-?\d+$/.test(target),
        },
      ],
      broken: [
        {
          check: 'a server that answers another status',
          server: () => new Response(null, { status: 404 }),
        },
      ],
    },
  },
};

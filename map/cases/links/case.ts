import type { Handler } from '../../measure/abilities/test.ts';
import type { CaseText } from '../../measure/case.ts';
import { refused } from '../shared/body.ts';

const id = 7315948;
const link = '/paths/~1plants/post/responses/200/links/plant';

export const feature: CaseText = {
  name: '`links`',
  since: '3.0',
  meaning: 'A response says which operations take its values, such as a new id, as parameters.',
  why: 'A tester makes a thing, and then reads, changes and deletes it.',
  use: {
    document: 'openapi.yaml',
    pointers: ['/paths/~1plants/post/responses/200/links', '/paths/~1webhooks/post/responses/201/links'],
    tests: [
      {
        file: 'tests/house/conformance.test.ts',
        test: 'every link leads from a response to an operation that accepts it',
      },
      {
        file: 'tests/house/document.test.ts',
        test: 'every link leads to an operation in the document, with existing parameters',
      },
    ],
  },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#link-object',
    quotes: [
      'The name of an existing, resolvable OAS operation, as defined with a unique `operationId`.',
      'This field is mutually exclusive of the `operationRef` field.',
    ],
  },
  checks: {
    call: [
      {
        check: 'a call of the linked operation',
        isBasic: true,
        operation: 'getPlant',
        arguments: { path: { id } },
        request: { method: 'GET', target: `/plants/${id}` },
        response: { body: `{"id":${id}}` },
        value: { id },
      },
    ],
    lint: [
      {
        check: 'a link to an operation that does not exist',
        level: 'reference',
        pointer: `${link}/operationId`,
        value: 'getTree',
      },
      {
        check: 'a link with two kinds of targets',
        level: 'document',
        pointer: `${link}/operationRef`,
        value: '#/paths/~1plants~1{id}/get',
        at: [link],
      },
    ],
    resolve: [
      { check: 'the operation of the link', pointer: `${link}/operationId`, value: 'getPlant' },
      { check: 'the parameters of the link', pointer: `${link}/parameters`, value: { id: '$response.body#/id' } },
    ],
    test: {
      right: serverOf({ id }),
      sends: [
        {
          check: 'a request with the id of the response',
          expected: `GET /plants/${id}`,
          request: ({ method, target }) => method === 'GET' && target === `/plants/${id}`,
        },
      ],
      broken: [{ check: 'a server that answers a wrong plant after the link', server: serverOf({ id: 'none' }) }],
    },
    show: [{ check: 'the description of the link', text: 'Where the new plant is' }],
  },
};

const json = { headers: { 'content-type': 'application/json' } };

/** It makes a plant, and answers the value where the plant is. It has every other plant too, for who ignores the link. */
function serverOf(found: unknown): Handler {
  return ({ method, target }) => {
    if (target === '/plants') return method === 'POST' ? Response.json({ id }) : new Response(null, { status: 405 });
    if (target === `/plants/${id}`) return Response.json(found);
    const other = /^\/plants\/(-?\d+)$/.exec(target)?.[1];
    return other === undefined ? refused() : new Response(`{"id":${BigInt(other)}}`, json);
  };
}

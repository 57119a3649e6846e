import type { CaseText } from '../../measure/case.ts';

// 2⁵³ + 1 is the smallest integer that a double does not have.
const id = 9007199254740993n;
const rounded = 9007199254740992n;
const answerOf = (found: bigint): Response =>
  new Response(`{"id":${found}}`, { headers: { 'content-type': 'application/json' } });
/** Whether it is an integer of 64 bits which a double does not hold. */
const isExact = (digits: string): boolean => {
  const value = BigInt(digits);
  return BigInt.asIntN(64, value) === value && BigInt(Number(value)) !== value;
};
const example = '/paths/~1plants~1{id}/put/responses/200/content/application~1json/example';
const request = { method: 'PUT', contentType: 'application/json' };

export const feature: CaseText = {
  name: 'exact `format: int64`',
  since: '3.0',
  meaning: 'An integer has 64 bits. JSON can write it exactly, and a double cannot hold it beyond 2⁵³.',
  why: 'An id that is rounded is the id of another thing.',
  use: { document: 'openapi.yaml', pointers: ['/components/schemas/NewPlant/properties/id/format'] },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#data-type-format',
    quotes: ['signed 64 bits (a.k.a long)'],
  },
  checks: {
    validate: [
      {
        check: 'an id that a double holds',
        isBasic: true,
        operation: 'setPlant',
        target: '/plants/1',
        body: { id: 1 },
        isValid: true,
      },
      {
        check: 'the largest id',
        operation: 'setPlant',
        target: '/plants/1',
        body: { id: 9223372036854775807n },
        isValid: true,
      },
      {
        check: 'an id beyond 64 bits',
        operation: 'setPlant',
        target: '/plants/1',
        body: { id: 9223372036854775808n },
        isValid: false,
      },
      {
        check: 'an id with a fraction',
        isBasic: true,
        operation: 'setPlant',
        target: '/plants/1',
        body: { id: 1.5 },
        isValid: false,
      },
    ],
    typeCheck: [
      {
        check: 'the type of an id beyond 2⁵³',
        schema: 'Plant',
        literal: { id },
        isValid: true,
        ignored: 'refused',
      },
    ],
    call: [
      {
        check: 'a call with a small id',
        isBasic: true,
        operation: 'setPlant',
        arguments: { path: { id: 1 }, body: { id: 1 } },
        request: { ...request, target: '/plants/1', body: '{"id":1}' },
        response: { body: '{"id":1}' },
        value: { id: 1 },
      },
      {
        check: 'a call with an id beyond 2⁵³',
        operation: 'setPlant',
        arguments: { path: { id }, body: { id } },
        request: { ...request, target: `/plants/${id}`, body: `{"id":${id}}` },
        ignored: [{ ...request, target: `/plants/${rounded}`, body: `{"id":${rounded}}` }],
        response: { body: '{"id":1}' },
      },
      {
        check: 'a response with an id beyond 2⁵³',
        operation: 'setPlant',
        arguments: { path: { id: 1 }, body: { id: 1 } },
        response: { body: `{"id":${id}}` },
        value: { id },
        ignoredValues: [{ id: rounded }],
      },
    ],
    forward: [
      {
        check: 'a request with an id beyond 2⁵³ and its response',
        method: 'PUT',
        target: '/plants/1',
        body: `{"id":${id}}`,
        response: `{"id":${id}}`,
      },
    ],
    resolve: [
      {
        check: 'the format',
        pointer: '/paths/~1plants~1{id}/put/requestBody/content/application~1json/schema/properties/id/format',
        value: 'int64',
      },
    ],
    test: {
      right: () => answerOf(id),
      sends: [
        {
          check: 'a request with an id that a double does not hold',
          isOneOfMany: true,
          expected: `{"id":${id}}`,
          request: ({ body }) => isExact(/"id":\s*(-?\d+)\b(?![.e])/i.exec(body)?.[1] ?? '0'),
        },
      ],
      broken: [{ check: 'a server that answers an id beyond 64 bits', server: () => answerOf(9223372036854775808n) }],
    },
  },
  variants: [
    {
      name: 'in an example',
      changes: { [example]: { id } },
      checks: {
        show: [{ check: 'an id beyond 2⁵³', text: `${id}` }],
        rewrite: [{ check: 'an id beyond 2⁵³', pointer: example, value: { id } }],
      },
    },
  ],
};

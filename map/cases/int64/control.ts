import type { ControlText } from '../../measure/case.ts';
import { feature } from './case.ts';

const max = 100;
const answerOf = (id: number): Response => Response.json({ id });
const request = { method: 'PUT', contentType: 'application/json' };
const { validate = [], call = [] } = feature.checks;
const bodies: Readonly<Record<string, unknown>> = {
  'the largest id': { id: max },
  'an id beyond 64 bits': { id: max + 1 },
};

export const control: ControlText = {
  name: 'a small integer with a `maximum`',
  changes: {
    '/paths/~1plants~1{id}/put/parameters/0/schema': { type: 'integer', maximum: max },
    '/components/schemas/Plant/properties/id': { type: 'integer', maximum: max },
  },
  checks: {
    validate: validate.map((one) => ({ ...one, body: bodies[one.check] ?? one.body })),
    typeCheck: [{ check: 'the type of an id beyond 2⁵³', schema: 'Plant', literal: { id: max }, isValid: true }],
    call: [
      ...call.filter(({ isBasic }) => isBasic),
      {
        check: 'a call with an id beyond 2⁵³',
        operation: 'setPlant',
        arguments: { path: { id: max }, body: { id: max } },
        request: { ...request, target: `/plants/${max}`, body: `{"id":${max}}` },
        response: { body: '{"id":1}' },
      },
      {
        check: 'a response with an id beyond 2⁵³',
        operation: 'setPlant',
        arguments: { path: { id: 1 }, body: { id: 1 } },
        response: { body: `{"id":${max}}` },
        value: { id: max },
      },
    ],
    test: {
      right: () => answerOf(max),
      sends: [
        {
          check: 'a request with an id that a double does not hold',
          isOneOfMany: true,
          expected: '{"id":…}',
          request: ({ body }) => /"id":\s*-?\d/.test(body),
        },
      ],
      broken: [{ check: 'a server that answers an id beyond 64 bits', server: () => answerOf(max + 1) }],
    },
  },
};

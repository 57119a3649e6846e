import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';
import { isInteger } from '../shared/keyword.ts';

const potted = { pot: { width: 12 } };
const bare = { pot: null };
const wrong = { pot: 'clay' };

export const feature: CaseText = {
  name: 'a reference or `null` in `anyOf`',
  since: '3.1',
  meaning: 'A value follows a shared schema, or is null. It replaces `nullable` beside a reference in `allOf`.',
  why: 'A member that has no value is null, whatever its schema is. Many frameworks write an optional value so.',
  checks: {
    diff: [
      {
        check: 'a request that may no longer have null',
        pointer: '/components/schemas/Plant/properties/pot',
        value: { $ref: '#/components/schemas/Pot' },
        isBreaking: true,
      },
    ],
    validate: [
      { check: 'a pot', isBasic: true, operation: 'setPlant', body: potted, isValid: true },
      { check: 'a pot that is null', operation: 'setPlant', body: bare, isValid: true },
      { check: 'a pot that is a text', operation: 'setPlant', body: wrong, isValid: false },
      { check: 'a response with null', side: 'response', operation: 'setPlant', body: bare, isValid: true },
      { check: 'a response with a text', side: 'response', operation: 'setPlant', body: wrong, isValid: false },
    ],
    typeCheck: [
      { check: 'the type of a pot', isBasic: true, schema: 'Plant', literal: potted, isValid: true },
      { check: 'the type of a pot that is null', schema: 'Plant', literal: bare, isValid: true },
      { check: 'the type of a pot that is a text', schema: 'Plant', literal: wrong, isValid: false },
    ],
    call: [
      { check: 'a call with a pot', isBasic: true, ...callWith(potted) },
      { check: 'a call with null', ...callWith(bare) },
    ],
    lint: [
      {
        check: 'a reference to a schema that does not exist',
        level: 'reference',
        pointer: '/components/schemas/Plant/properties/pot/anyOf/0/$ref',
        value: '#/components/schemas/Box',
      },
    ],
    resolve: [
      {
        check: 'the type beside the reference',
        pointer: '/paths/~1plant/put/requestBody/content/application~1json/schema/properties/pot/anyOf/1/type',
        value: 'null',
      },
    ],
    sample: [{ check: 'a sample', schema: 'Plant' }],
    test: {
      right: ({ body }) => (isPlant(body) ? Response.json(bare) : refused()),
      broken: [
        {
          check: 'a server that answers a pot that is a text',
          server: ({ body }) => (isPlant(body) ? Response.json(wrong) : refused()),
        },
      ],
      sends: [
        {
          check: 'a request with null',
          isOneOfMany: true,
          expected: JSON.stringify(bare),
          request: ({ body }) => membersOf(body)?.['pot'] === null,
        },
      ],
    },
  },
};

function callWith(body: unknown) {
  const text = JSON.stringify(body);
  return {
    operation: 'setPlant',
    arguments: { body },
    request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: text },
    response: { body: text },
    value: body,
  };
}

function isPlant(body: string): boolean {
  const pot = membersOf(body)?.['pot'];
  return pot === null || isInteger(membersOf(JSON.stringify(pot) ?? '')?.['width']);
}

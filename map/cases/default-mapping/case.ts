import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const fern = { kind: 'fern', fronds: 12 };
const other = { name: 'Monstera' };
const discriminator = '/components/schemas/Plant/discriminator';

const follows = (body: string): boolean => {
  const { kind, fronds, name } = membersOf(body) ?? {};
  return kind === 'fern'
    ? Number.isInteger(fronds)
    : ['string', 'undefined'].includes(typeof kind) && typeof name === 'string';
};

export const feature: CaseText = {
  name: '`defaultMapping` of a discriminator',
  since: '3.2',
  meaning: 'A value without the discriminator, or with an unknown one, has the default schema.',
  why: 'A service adds new kinds, and an older client reads them as something that it knows.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.2.0.html#discriminator-object',
    quotes: [
      'The schema name or URI reference to a schema that is expected to validate the structure of the model when the discriminating property is not present in the payload or contains a value for which there is no explicit or implicit mapping.',
    ],
  },
  checks: {
    validate: [
      { check: 'a body that is mapped', isBasic: true, operation: 'setPlant', body: fern, isValid: true },
      {
        check: 'a body without the discriminator',
        operation: 'setPlant',
        body: other,
        isValid: true,
        ignored: 'refused',
      },
      {
        check: 'a body with an unknown value',
        operation: 'setPlant',
        body: { kind: 'palm', ...other },
        isValid: true,
        ignored: 'refused',
      },
      {
        check: 'a mapped body with a wrong member',
        operation: 'setPlant',
        body: { ...fern, fronds: 'few' },
        isValid: false,
      },
    ],
    typeCheck: [
      { check: 'the type of a value that is mapped', isBasic: true, schema: 'Plant', literal: fern, isValid: true },
      {
        check: 'the type of a value without the discriminator',
        schema: 'Plant',
        literal: other,
        isValid: true,
        ignored: 'refused',
      },
    ],
    call: [
      {
        check: 'a call with a value that is mapped',
        isBasic: true,
        operation: 'setPlant',
        arguments: { body: fern },
        request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(fern) },
        response: { body: JSON.stringify(fern) },
        value: fern,
      },
      {
        check: 'a response without the discriminator',
        operation: 'setPlant',
        arguments: { body: fern },
        response: { body: JSON.stringify(other) },
        value: other,
      },
    ],
    lint: [
      {
        check: 'a default schema that does not exist',
        level: 'reference',
        pointer: `${discriminator}/defaultMapping`,
        value: '#/components/schemas/Nothing',
        at: [discriminator],
      },
      {
        check: 'a default schema that is a number',
        level: 'schema',
        pointer: `${discriminator}/defaultMapping`,
        value: 5,
        at: [discriminator],
      },
    ],
    resolve: [
      {
        check: 'the default schema',
        pointer: `${discriminator}/defaultMapping`,
        value: '#/components/schemas/OtherPlant',
      },
    ],
    test: {
      right: ({ body }) => (follows(body) ? Response.json(other) : refused()),
    },
  },
};

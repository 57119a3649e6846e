import type { CaseText } from '../../measure/case.ts';
import { membersOf, refused } from '../shared/body.ts';

const bonsai = { kind: 'bonsai', rings: 30 };
const fern = { kind: 'fern', fronds: 12 };
const mapping = '/components/schemas/Plant/discriminator/mapping';

const follows = (body: string): boolean => {
  const { kind, rings, fronds } = membersOf(body) ?? {};
  return typeof kind === 'string' && Number.isInteger(rings) !== Number.isInteger(fronds);
};

export const feature: CaseText = {
  name: '`mapping` of a discriminator',
  since: '3.0',
  meaning:
    'The values of the discriminator are not the names of the schemas. `mapping` says which schema belongs to each. The schemas alone decide what is valid.',
  why: 'A value is what the service has always sent, and a schema has a name that reads well in code.',
  use: { document: 'openapi.yaml', pointers: ['/components/schemas/Event/discriminator/mapping'] },
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.1.html#discriminator-object',
    quotes: [
      'An object to hold mappings between payload values and schema names or URI references.',
      'When request bodies or response payloads may be one of a number of different schemas, a Discriminator Object gives a hint about the expected schema of the document.',
    ],
  },
  checks: {
    validate: [
      { check: 'a body of the first schema', operation: 'setPlant', body: bonsai, isValid: true },
      { check: 'a body of the second schema', operation: 'setPlant', body: fern, isValid: true },
      { check: 'a response', side: 'response', operation: 'setPlant', body: fern, isValid: true },
    ],
    typeCheck: [
      { check: 'the type of the first schema', isBasic: true, schema: 'Plant', literal: bonsai, isValid: true },
      { check: 'the type of the second schema', isBasic: true, schema: 'Plant', literal: fern, isValid: true },
      {
        check: 'the type of a value that belongs to the other schema',
        schema: 'Plant',
        literal: { kind: 'fern', rings: 30 },
        isValid: false,
      },
    ],
    call: [
      {
        check: 'a call with a body of the first schema',
        operation: 'setPlant',
        arguments: { body: bonsai },
        request: { method: 'PUT', target: '/plant', contentType: 'application/json', body: JSON.stringify(bonsai) },
        response: { body: JSON.stringify(fern) },
        value: fern,
      },
    ],
    lint: [
      {
        check: 'a value without a schema',
        level: 'reference',
        pointer: `${mapping}/fern`,
        value: '#/components/schemas/Nothing',
        at: ['/components/schemas/Plant/discriminator'],
      },
      {
        check: 'a mapping that is a number',
        level: 'schema',
        pointer: `${mapping}/fern`,
        value: 5,
        at: ['/components/schemas/Plant/discriminator'],
      },
    ],
    resolve: [
      {
        check: 'the schema of a value',
        pointer: '/components/schemas/Plant/discriminator/mapping/bonsai',
        value: '#/components/schemas/WoodyPlant',
      },
    ],
    test: {
      right: ({ body }) => (follows(body) ? Response.json(fern) : refused()),
      broken: [
        {
          check: 'a server that answers a plant of neither schema',
          server: ({ body }) => (follows(body) ? Response.json({ kind: 'fern' }) : refused()),
        },
      ],
    },
    show: [{ check: 'a value of the mapping', text: 'bonsai' }],
  },
};

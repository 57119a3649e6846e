import type { CaseText } from '../../measure/case.ts';
import { checksOfKeyword, isInteger, isText } from '../shared/keyword.ts';
import { producesBody } from '../shared/produced.ts';

export const feature: CaseText = {
  name: 'tuples: `prefixItems`',
  since: '3.1',
  meaning: 'The first items of a list have a schema each. With `items: false`, there are no others.',
  why: 'A pair of a number and a text is no list of numbers or texts.',
  specification: {
    url: 'https://json-schema.org/draft/2020-12/json-schema-core#section-10.3.1.1',
    quotes: [
      'Validation succeeds if each element of the instance validates against the schema at the same position, if any.',
    ],
  },
  checks: {
    ...checksOfKeyword({
      valid: { spot: [1, 'window'] },
      invalid: { spot: ['window', 1] },
      mistake: 'a spot in the wrong order',
      follows: ({ spot }) => Array.isArray(spot) && spot.length === 2 && isInteger(spot[0]) && isText(spot[1]),
      place: '/properties/spot/prefixItems/1/type',
      value: 'string',
      pointer: '/components/schemas/Plant/properties/spot/prefixItems',
      wrong: 'none',
      isTyped: true,
    }),
    produce: producesBody(
      'prefix-items',
      'a member `spot`, which is a pair of an integer and a text',
      { spot: [1, 'window'] },
      { spot: ['window', 1] },
    ),
  },
};

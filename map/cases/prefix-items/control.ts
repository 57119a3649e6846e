import type { ControlText } from '../../measure/case.ts';
import { checksOfKeyword, isInteger } from '../shared/keyword.ts';

export const control: ControlText = {
  name: 'a list of at least two integers',
  changes: { '/components/schemas/Plant/properties/spot': { type: 'array', items: { type: 'integer' }, minItems: 2 } },
  checks: checksOfKeyword({
    valid: { spot: [1, 2] },
    invalid: { spot: ['window', 1] },
    mistake: 'a spot in the wrong order',
    follows: ({ spot }) => Array.isArray(spot) && spot.length >= 2 && spot.every(isInteger),
    place: '/properties/spot/items/type',
    value: 'integer',
    pointer: '/components/schemas/Plant/properties/spot/items',
    wrong: 'none',
    isTyped: true,
  }),
};

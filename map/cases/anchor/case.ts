import type { CaseText } from '../../measure/case.ts';
import { membersOf } from '../shared/body.ts';
import { checksOfKeyword, isInteger } from '../shared/keyword.ts';

export const feature: CaseText = {
  name: '`$anchor`',
  since: '3.1',
  meaning: 'A schema has a name of its own, to which a reference leads, wherever the schema is.',
  why: 'References stay when a schema moves.',
  checks: checksOfKeyword({
    valid: { leaf: { length: 5 } },
    invalid: { leaf: { length: 'long' } },
    mistake: 'a wrong leaf',
    follows: ({ leaf }) => isInteger(membersOf(JSON.stringify(leaf) ?? '')?.['length']),
    place: '/properties/leaf/properties/length/type',
    value: 'integer',
    pointer: '/components/schemas/Leaf/$anchor',
    wrong: 5,
    isTyped: true,
  }),
};

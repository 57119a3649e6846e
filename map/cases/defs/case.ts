import type { CaseText } from '../../measure/case.ts';
import { membersOf } from '../shared/body.ts';
import { checksOfKeyword, isInteger } from '../shared/keyword.ts';

export const feature: CaseText = {
  name: '`$defs`',
  since: '3.1',
  meaning: 'A schema has the schemas that only it uses. A reference leads to them by a JSON Pointer.',
  why: 'What one schema needs is not offered to all.',
  checks: checksOfKeyword({
    valid: { leaf: { length: 5 } },
    invalid: { leaf: { length: 'long' } },
    mistake: 'a wrong leaf',
    follows: ({ leaf }) => isInteger(membersOf(JSON.stringify(leaf) ?? '')?.['length']),
    place: '/properties/leaf/properties/length/type',
    value: 'integer',
    pointer: '/components/schemas/Plant/$defs',
    wrong: 5,
    isTyped: true,
  }),
};

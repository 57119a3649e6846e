import type { CaseText } from '../../measure/case.ts';
import { checksOfKeyword, isInteger } from '../shared/keyword.ts';

export const feature: CaseText = {
  name: '`patternProperties`',
  since: '3.1',
  meaning: 'Members whose names match a pattern have a schema.',
  why: 'Members that a service does not know by name still have a type.',
  checks: checksOfKeyword({
    valid: { 'x-leaves': 5 },
    invalid: { 'x-leaves': 'five' },
    mistake: 'a text in a member for numbers',
    follows: (members) => Object.entries(members).every(([name, value]) => !name.startsWith('x-') || isInteger(value)),
    place: '/patternProperties/^x-/type',
    value: 'integer',
    pointer: '/components/schemas/Plant/patternProperties',
    wrong: 5,
  }),
};

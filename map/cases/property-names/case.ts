import type { CaseText } from '../../measure/case.ts';
import { checksOfKeyword } from '../shared/keyword.ts';

export const feature: CaseText = {
  name: '`propertyNames`',
  since: '3.1',
  meaning: 'The names of the members have a schema.',
  why: 'A map has keys of one form, whatever they are.',
  checks: checksOfKeyword({
    valid: { leaf: 5 },
    invalid: { leaves: 5 },
    mistake: 'a name that is too long',
    follows: (members) => Object.keys(members).every((name) => name.length <= 5),
    place: '/propertyNames/maxLength',
    value: 5,
    pointer: '/components/schemas/Plant/propertyNames',
    wrong: 'short',
  }),
};

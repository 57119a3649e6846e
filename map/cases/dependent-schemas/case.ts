import type { CaseText } from '../../measure/case.ts';
import { checksOfKeyword, isInteger, isMaybe, isText } from '../shared/keyword.ts';

export const feature: CaseText = {
  name: '`dependentSchemas`',
  since: '3.1',
  meaning: 'A schema holds only for values that have a member.',
  why: 'A member needs another one, which is optional otherwise.',
  checks: checksOfKeyword({
    valid: { pot: 'clay', size: 5 },
    invalid: { pot: 'clay' },
    mistake: 'a pot without a size',
    follows: ({ pot, size }) =>
      isMaybe(pot, isText) && isMaybe(size, isInteger) && (pot === undefined || size !== undefined),
    place: '/dependentSchemas/pot/required',
    value: ['size'],
    pointer: '/components/schemas/Plant/dependentSchemas',
    wrong: 5,
  }),
};

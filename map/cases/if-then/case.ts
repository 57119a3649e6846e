import type { CaseText } from '../../measure/case.ts';
import { checksOfKeyword, isInteger, isMaybe, isText } from '../shared/keyword.ts';

export const feature: CaseText = {
  name: '`if` and `then`',
  since: '3.1',
  meaning: 'A schema holds only for values that match another one.',
  why: 'What is required depends on another member.',
  checks: checksOfKeyword({
    valid: { kind: 'tree', height: 5 },
    invalid: { kind: 'tree' },
    mistake: 'a tree without a height',
    follows: ({ kind, height }) =>
      isText(kind) && isMaybe(height, isInteger) && (kind !== 'tree' || height !== undefined),
    place: '/then/required',
    value: ['height'],
    pointer: '/components/schemas/Plant/then',
    wrong: 5,
  }),
};

import type { CaseText } from '../../measure/case.ts';
import { checksOfKeyword, isInteger } from '../shared/keyword.ts';
import { producesBody } from '../shared/produced.ts';

export const feature: CaseText = {
  name: 'numeric `exclusiveMinimum`',
  since: '3.1',
  meaning: 'A bound that is a number itself. In OpenAPI 3.0 it is a boolean beside `minimum`.',
  why: 'A price is more than zero.',
  checks: {
    ...checksOfKeyword({
      valid: { leaves: 1 },
      invalid: { leaves: 0 },
      mistake: 'a number that is the bound',
      follows: ({ leaves }) => isInteger(leaves) && Number(leaves) > 0,
      place: '/properties/leaves/exclusiveMinimum',
      value: 0,
      pointer: '/components/schemas/Plant/properties/leaves/exclusiveMinimum',
      wrong: 'none',
    }),
    produce: producesBody(
      'exclusive-minimum',
      'a member `leaves`, which is an integer above 0',
      { leaves: 1 },
      { leaves: 0 },
    ),
  },
};

import type { CaseText } from '../../measure/case.ts';
import { membersOf } from '../shared/body.ts';
import { checksOfKeyword, isInteger } from '../shared/keyword.ts';

export const feature: CaseText = {
  name: '`$id` of a schema',
  since: '3.1',
  meaning: 'A schema has an address of its own, to which a reference leads. Nothing is loaded from there.',
  why: 'Schemas that are published elsewhere are in the document under their addresses.',
  specification: {
    url: 'https://spec.openapis.org/oas/v3.1.0#relative-references-in-uris',
    quotes: [
      'Relative references in Schema Objects, including any that appear as `$id` values, use the nearest parent `$id` as a Base URI, as described by JSON Schema Specification Draft 2020-12.',
    ],
  },
  checks: checksOfKeyword({
    valid: { leaf: { length: 5 } },
    invalid: { leaf: { length: 'long' } },
    mistake: 'a wrong leaf',
    follows: ({ leaf }) => isInteger(membersOf(JSON.stringify(leaf) ?? '')?.['length']),
    place: '/properties/leaf/properties/length/type',
    value: 'integer',
    pointer: '/components/schemas/Leaf/$id',
    wrong: 5,
    isTyped: true,
  }),
};

import type { CaseText } from '../../measure/case.ts';
import { membersOf } from '../shared/body.ts';
import { checksOfKeyword, isText } from '../shared/keyword.ts';

export const feature: CaseText = {
  name: 'generic schemas: `$dynamicRef`',
  since: '3.1',
  meaning: 'A schema leaves a place open, which the schema that refers to it fills.',
  why: 'One schema of a page serves for pages of everything.',
  specification: {
    url: 'https://json-schema.org/draft/2020-12/json-schema-core#section-8.2.3.2',
    quotes: [
      'If the initially resolved starting point URI includes a fragment that was created by the "$dynamicAnchor" keyword, the initial URI MUST be replaced by the URI (including fragment) for the outermost schema resource in the dynamic scope (Section 7.1) that defines an identically named fragment with "$dynamicAnchor".',
    ],
  },
  checks: checksOfKeyword({
    valid: { items: [{ name: 'Monstera' }] },
    invalid: { items: [{ name: 5 }] },
    mistake: 'a page with a wrong item',
    follows: ({ items }) =>
      Array.isArray(items) && items.every((item) => isText(membersOf(JSON.stringify(item) ?? '')?.['name'])),
    place: '/$defs/item/properties/name/type',
    value: 'string',
    pointer: '/components/schemas/Page/properties/items/items/$dynamicRef',
    wrong: 5,
    isTyped: true,
  }),
};
